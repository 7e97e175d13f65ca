"""The one error tree: every failure the product names, with a stable code.

    JobstewardError
    ├── ConfigurationError        configuration          stops
    ├── AuthenticationError       authentication         stops
    ├── PermissionDeniedError     permission_denied      stops
    ├── MissingInputError         missing_input          stops
    ├── BudgetExceededError       budget_exceeded        stops
    ├── MaterialRejectedError     material_rejected      stops
    ├── RuntimeIdentityMismatchError  RuntimeIdentityMismatch  stops
    ├── DuplicateRunError         duplicate_run          stops
    ├── PayloadTooLargeError      payload_too_large      stops
    ├── BadJsonError              bad_json               stops
    ├── InvalidInputError         invalid_input          stops
    │   ├── InvalidTextError      invalid_text           stops
    │   ├── UrlInvalidError       url_invalid            stops
    │   └── UnsupportedBoardError unsupported_board      stops
    ├── UrlBlockedError           url_blocked            stops
    ├── HostClosedError           host_closed            stops
    │   ├── RobotsClosedError     closed_by_robots       stops
    │   ├── HostCoolingError      host_cooling_down      stops
    │   └── HostCapError          host_daily_cap         stops
    ├── ResponseTooLargeError     response_too_large     stops
    ├── EncodingUnsupportedError  encoding_unsupported   stops
    ├── NotFoundError             not_found              stops
    │   └── UnknownWorkflowError  unknown_workflow       stops
    ├── ConflictError             conflict               stops
    │   ├── KeyReusedError        idempotency_key_reused stops
    │   ├── StaleLeaseError       stale_lease            stops
    │   ├── RequestChangedError   request_changed        stops
    │   ├── StageMoveError        stage_move_refused     stops
    │   └── CursorSchemaError     cursor_schema_changed  stops
    ├── TransientNetworkError     transient_network      retried
    │   └── FetchTimeoutError     fetch_timeout          retried
    ├── BrowserTransientError     browser_transient      retried
    ├── LlmTransientError         llm_transient          retried
    ├── SourceUnavailableError    source_unavailable     retried
    ├── CapacityExceededError     capacity_exceeded      retried
    └── StorageError              storage_error          retried
        └── StorageFullError      storage_full           retried

A message says what to do next and never carries a person's data; only codes enter
events, projections and metrics (ERR-1, ERR-2). Anything outside this tree is
``unclassified`` and retried.
"""

from typing import ClassVar

UNCLASSIFIED = "unclassified"


class JobstewardError(Exception):
    """A failure with a stable ``code``; ``retryable`` says whether trying again can help."""

    code: ClassVar[str] = UNCLASSIFIED
    retryable: ClassVar[bool] = True

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConfigurationError(JobstewardError):
    """A setting, file or service is not what it must be; a person has to change it."""

    code = "configuration"
    retryable = False


class AuthenticationError(JobstewardError):
    """A credential is missing, unknown, expired or revoked."""

    code = "authentication"
    retryable = False


class PermissionDeniedError(JobstewardError):
    """The credential is good, but lacks the scope that the call needs."""

    code = "permission_denied"
    retryable = False


class MissingInputError(JobstewardError):
    """Something the work needs has not been given yet."""

    code = "missing_input"
    retryable = False


class BudgetExceededError(JobstewardError):
    """The spend ceiling would be passed; nothing paid was started."""

    code = "budget_exceeded"
    retryable = False


class MaterialRejectedError(JobstewardError):
    """A document failed its checks and its correction budget is used up."""

    code = "material_rejected"
    retryable = False


class RuntimeIdentityMismatchError(JobstewardError):
    """Work meant for another database or app directory; nothing was written (ACT-4)."""

    code = "RuntimeIdentityMismatch"
    retryable = False


class DuplicateRunError(JobstewardError):
    """A second run was started for an execution that another run already serves."""

    code = "duplicate_run"
    retryable = False


class BadJsonError(JobstewardError):
    """A body that is not the strict JSON that every reader understands alike (SEC-8)."""

    code = "bad_json"
    retryable = False


class InvalidInputError(JobstewardError):
    """Arguments of the wrong shape; ``fields`` maps each bad field to what it must be."""

    code = "invalid_input"
    retryable = False

    def __init__(self, message: str, fields: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.fields = fields or {}


class InvalidTextError(InvalidInputError):
    """Text with NUL or half a surrogate pair, which no database or file keeps (S24)."""

    code = "invalid_text"


class UrlInvalidError(InvalidInputError):
    """Not an http(s) URL in a form that every reader understands alike; nothing was looked up."""

    code = "url_invalid"


class UnsupportedBoardError(InvalidInputError):
    """The URL leads to no board that a source here can read."""

    code = "unsupported_board"


class UrlBlockedError(JobstewardError):
    """The URL leads to a private address or a port that is never fetched (SEC-3)."""

    code = "url_blocked"
    retryable = False


class HostClosedError(JobstewardError):
    """The host is left alone for now; what it would have said is unknown, not empty (DIS-11)."""

    code = "host_closed"
    retryable = False


class RobotsClosedError(HostClosedError):
    """The host's robots.txt keeps programs away from this URL; it was not fetched."""

    code = "closed_by_robots"


class HostCoolingError(HostClosedError):
    """The host refused requests a while ago and is not asked again until its pause is over."""

    code = "host_cooling_down"


class HostCapError(HostClosedError):
    """The host had its requests for today; it is asked again tomorrow."""

    code = "host_daily_cap"


class ResponseTooLargeError(JobstewardError):
    """The answer passed the size that its reader allows; what came was dropped."""

    code = "response_too_large"
    retryable = False


class EncodingUnsupportedError(JobstewardError):
    """The answer is packed in a way that was not asked for."""

    code = "encoding_unsupported"
    retryable = False


class PayloadTooLargeError(JobstewardError):
    """More bytes than one request may carry; larger files go through an upload."""

    code = "payload_too_large"
    retryable = False


class NotFoundError(JobstewardError):
    """No such record for this tenant; another tenant's looks the same."""

    code = "not_found"
    retryable = False


class UnknownWorkflowError(NotFoundError):
    """No workflow of that name; ``near`` holds names that resemble it."""

    code = "unknown_workflow"

    def __init__(self, message: str, near: list[str]) -> None:
        super().__init__(message)
        self.near = near


class ConflictError(JobstewardError):
    """The request contradicts what already stands."""

    code = "conflict"
    retryable = False


class KeyReusedError(ConflictError):
    """The idempotency key already names an execution with other arguments."""

    code = "idempotency_key_reused"

    def __init__(self, message: str, execution_id: str) -> None:
        super().__init__(message)
        self.execution_id = execution_id


class StaleLeaseError(ConflictError):
    """Somebody newer holds this piece of work; nothing of the older holder was written (DIS-5)."""

    code = "stale_lease"


class RequestChangedError(ConflictError):
    """This code would ask a source something else than when the work was planned (DIS-6)."""

    code = "request_changed"


class StageMoveError(ConflictError):
    """A stage of a job cannot go where it was told to, or not now (DOM-3)."""

    code = "stage_move_refused"


class CursorSchemaError(ConflictError):
    """A stored place in a list was written in a form that this code does not read (DIS-6)."""

    code = "cursor_schema_changed"


class TransientNetworkError(JobstewardError):
    """A connection, time-out or 5xx that is expected to pass."""

    code = "transient_network"
    retryable = True


class FetchTimeoutError(TransientNetworkError):
    """An answer was not complete within the time that its reader allows."""

    code = "fetch_timeout"


class BrowserTransientError(JobstewardError):
    """The browser failed in a way that a fresh one may not."""

    code = "browser_transient"
    retryable = True


class LlmTransientError(JobstewardError):
    """A model provider failed in a way that is expected to pass."""

    code = "llm_transient"
    retryable = True


class SourceUnavailableError(JobstewardError):
    """A job source could not be read now."""

    code = "source_unavailable"
    retryable = True


class CapacityExceededError(JobstewardError):
    """Too much accepted work is still open; finish or cancel some and try again."""

    code = "capacity_exceeded"
    retryable = True


class StorageError(JobstewardError):
    """The database or disk refused; what was not acknowledged was not written."""

    code = "storage_error"
    retryable = True


class StorageFullError(StorageError):
    """No space left for the database; reads still work."""

    code = "storage_full"
