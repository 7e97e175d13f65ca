"""The offline writer for a sample of the corpus's people and postings (offline.*).

``python -m benchmarks offline`` does the same for every pair. Needs the corpus folder beside
the checkout, or at JOBSTEWARD_CORPUS.
"""

import pytest

from benchmarks.corpus import corpus
from benchmarks.people import TODAY
from benchmarks.postings import adverts
from benchmarks.resumes import resumes
from jobsteward.writing.gate import judge, refused
from jobsteward.writing.offline import compose
from jobsteward.writing.port import Brief, claims_of

if not (corpus() / "D_resumes").is_dir():
    pytest.skip("the corpus of résumés is absent; set JOBSTEWARD_CORPUS", allow_module_level=True)

EVERY = 40


def test_no_pair_has_an_unsupported_claim() -> None:
    people, jobs = list(resumes()), list(adverts())
    assert len(people) >= 60 and len(jobs) >= 300
    for number, (name, profile) in enumerate(people):
        for job in jobs[number % EVERY :: EVERY]:
            claims = claims_of(compose(Brief(profile, job.target, job.needs)))
            wrong = refused(judge(claims, profile, TODAY, job.target))
            reasons = [problem.reason for one in wrong for problem in one.problems]
            assert not wrong, f"{name} for {job.target.title}: {reasons}"
