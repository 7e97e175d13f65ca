"""Every workflow there is. A new one is a file here and a line in the catalogue."""

from jobsteward_worker.spec import Catalogue
from jobsteward_worker.workflows.discover import DISCOVER

CATALOGUE = Catalogue([DISCOVER])
