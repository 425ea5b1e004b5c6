"""Runs scim2-tester against an office, and says as JSON what it has found. Arguments: url, token, domain."""

import json
import sys
import uuid

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient

import scim2_tester.filling as filling

url, token, domain = sys.argv[1:4]

# The suite makes addresses of domains that do not exist; an office takes those of the organization's own only.
made = filling.generate_random_value


def of_our_domain(context, path, *rest, **named):
    value = made(context, path, *rest, **named)
    if isinstance(value, str) and value.endswith(".com") and "@" in value:
        return f"{uuid.uuid4()}@{domain}"
    return value


filling.generate_random_value = of_our_domain

from scim2_tester import check_server  # noqa: E402  (its checks take the function as they are read)

client = Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60)
scim = SyncSCIMClient(client)
results = check_server(scim)
print(
    json.dumps(
        [
            {
                "status": result.status.name,
                "title": result.title,
                "resource": result.resource_type,
                "reason": str(result.reason)[:500],
            }
            for result in results
        ]
    )
)
