"""Verifies a delivery by the reference library for Python: {"secret", "headers", "body"} in DELIVERY."""

import json
import os

from standardwebhooks import Webhook

given = json.loads(os.environ["DELIVERY"])
print("verified:", Webhook(given["secret"]).verify(given["body"], given["headers"])["type"])
