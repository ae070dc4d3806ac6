"""A caller in Python, whose package `generated` was made from the API's description. Run against a stack."""
import json
import sys

from generated import AuthenticatedClient
from generated.api.attestation import attest
from generated.api.reports import get_interaction, get_report
from generated.api.verification import verify_inclusion
from generated.api.wording_policy import get_policy
from generated.models import AttestationRequest, Evidence, ProblemDetails

base_url, api_key, request_text = sys.argv[1:]
fields = json.loads(request_text)
client = AuthenticatedClient(base_url=base_url, token=api_key)


def whole(answer):
    if isinstance(answer, ProblemDetails) or answer is None:
        raise SystemExit(f"refused: {answer}")
    return answer


receipt = whole(attest.sync(client=client, body=AttestationRequest.from_dict(fields)))
report = whole(get_report.sync(receipt.event_id, client=client))
conversation = whole(get_interaction.sync(fields["interaction_id"], client=client, from_turn=1))
proof = Evidence.from_dict({"merkle_proof": report.merkle_proof.to_dict()})
verdict = whole(verify_inclusion.sync(client=client, body=proof))
policy = whole(get_policy.sync(client=client))
problem = attest.sync(client=client, body=AttestationRequest.from_dict({**fields, "jurisdiction": "BE"}))
assert isinstance(problem, ProblemDetails)

print(
    json.dumps(
        {
            "verdict": receipt.receipts[0].verdict.value,
            "report": report.event_id == receipt.event_id,
            "turns": [one.turn for one in conversation.receipts],
            "valid": verdict.valid,
            "active": [one.jurisdiction for one in policy.jurisdictions if one.status.value == "active"],
            "problem": [problem.status, problem.errors[0].pointer],
        }
    )
)
