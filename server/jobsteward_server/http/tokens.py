"""Routes for access tokens; only the scope ``admin`` may use them."""

from dataclasses import asdict
from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from jobsteward.kernel.clock import utc_now
from jobsteward.runs import tokens, wire
from jobsteward_server.http.openapi import json_body
from jobsteward_server.http.services import Admin, WithServices
from jobsteward_server.strict_json import read_json_object

router = APIRouter(prefix=f"{wire.API}/tokens", tags=["tokens"])


@router.get("")
async def list_tokens(token: Admin, services: WithServices) -> wire.TokenPage:
    """The tenant's tokens, without their secrets."""
    found = await services.library.database.read(
        lambda conn: tokens.list_tokens(conn, token.tenant_id)
    )
    return wire.TokenPage(items=[wire.TokenView(**_shown(item)) for item in found])


@router.post("", openapi_extra=json_body(wire.TokenRequest))
async def create_token(
    token: Admin,
    services: WithServices,
    body: Annotated[dict[str, Any], Depends(read_json_object)],
) -> wire.NewTokenView:
    """A new token of the caller's tenant; its secret is in this answer and nowhere else."""
    request = wire.parse(wire.TokenRequest, body, what="the request body")
    expires_at = utc_now() + timedelta(seconds=request.expires_in) if request.expires_in else None
    made, secret = await services.library.database.write(
        lambda conn: tokens.create_token(
            conn,
            name=request.name,
            scopes=request.scopes,
            tenant_id=token.tenant_id,
            principal=token.principal,
            expires_at=expires_at,
        )
    )
    return wire.NewTokenView(**_shown(made), secret=secret)


@router.delete("/{token_id}")
async def revoke_token(token_id: str, token: Admin, services: WithServices) -> wire.TokenView:
    """Refuse the token from now on, in every process."""
    revoked = await services.library.database.write(
        lambda conn: tokens.revoke_token(conn, token_id, token.tenant_id)
    )
    return wire.TokenView(**_shown(revoked))


def _shown(token: tokens.Token) -> dict[str, Any]:
    values = asdict(token)
    return {name: values[name] for name in wire.TokenView.model_fields} | {
        "scopes": list(token.scopes)
    }
