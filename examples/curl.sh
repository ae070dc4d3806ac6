#!/bin/sh
# Records a disclosure, waits for its report and checks it, with curl and openssl alone. Given a file name, keeps the
# report there.
#   API_KEY=$(cat .data/api-key) sh examples/curl.sh
set -eu

BASE_URL=${BASE_URL:-http://127.0.0.1:8787}
: "${API_KEY:?give the API key that npm start prints}"
PATIENCE_SECONDS=60
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

say() { printf '%-18s %s\n' "$1" "$2"; }
fail() { echo "$1" >&2; exit 1; }
sha256() { openssl dgst -sha256 -r | cut -d ' ' -f 1; }
# The text under a name in a file of JSON on one line.
field() { sed -n "s/.*\"$2\":\"\([^\"]*\)\".*/\1/p" "$1"; }
# The key goes in on standard input: an argument is there for every user of the machine to see.
call() {
  printf 'header = "Authorization: Bearer %s"\n' "$API_KEY" |
    curl --config - --silent --show-error --fail-with-body --retry 5 --max-time 30 "$@"
}

# 1. Only the digest of the wording leaves this machine: of its text in Unicode NFC, with no line break at its end.
wording='Hello. This call is made by an AI system. You are speaking with artificial intelligence, not with a human being.'
subject_hash="sha256:$(printf '%s' "$wording" | sha256)"
call_id="curl-$(openssl rand -hex 8)"

# 2. The request. Members in the order of their names and no spaces: this is RFC 8785's form, whose hash is input_hash.
printf '{"agent_identity":"curl-example","article_50_clause":"1","disclosure_method":"spoken_introduction","interaction_id":"%s","jurisdiction":"DE","modality":"voice","subject_hash":"%s"}' \
  "$call_id" "$subject_hash" > "$folder/request.json"
input_hash="sha256:$(sha256 < "$folder/request.json")"

# 3. The receipt. Every try has the same Idempotency-Key, so trying again never records twice.
call "$BASE_URL/v1/attestation" -H 'Content-Type: application/json' -H "Idempotency-Key: $call_id" \
  --data-binary "@$folder/request.json" -o "$folder/receipt.json" || fail "$(cat "$folder/receipt.json")"
event_id=$(field "$folder/receipt.json" event_id)
[ "$input_hash" = "$(field "$folder/receipt.json" input_hash)" ] || fail 'the receipt is about another request'
say event "$event_id"
say verdict "$(field "$folder/receipt.json" verdict)"
say input_hash 'is the hash of the request'

# 4. The report, once the sealer has published a root over it.
waited=0
until grep -q '"merkle_proof":{"status":"included"' "$folder/report.json" 2> /dev/null; do
  [ "$waited" -lt "$PATIENCE_SECONDS" ] || fail "no root was published within $PATIENCE_SECONDS seconds"
  waited=$((waited + 1))
  sleep 1
  call "$BASE_URL/v1/attestation/$event_id" -o "$folder/report.json" || fail "$(cat "$folder/report.json")"
done
root=$(field "$folder/report.json" merkle_root)
say merkle_root "$root"

# 5. The inclusion proof, against the published root: without the key.
curl --silent --show-error --fail-with-body "$BASE_URL/v1/verify-inclusion" -H 'Content-Type: application/json' \
  --data-binary "@$folder/report.json" -o "$folder/verdict.json" || fail "$(cat "$folder/verdict.json")"
grep -q '^{"valid":true' "$folder/verdict.json" || fail "$(cat "$folder/verdict.json")"
say verify-inclusion 'valid'

# 6. The timestamp authority's word that the root was there: without the service. This certificate is the development
#    authority's; that of a public one comes from the authority.
curl --silent --show-error --fail "$BASE_URL/tsa/certificate.pem" -o "$folder/ca.pem"
field "$folder/report.json" timestamp_token | openssl base64 -d -A > "$folder/token.der"
openssl ts -verify -digest "${root#0x}" -in "$folder/token.der" -token_in -CAfile "$folder/ca.pem" 2>&1 |
  grep -q 'Verification: OK' || fail 'the timestamp does not hold'
say timestamp 'holds'

[ $# -eq 0 ] || cp "$folder/report.json" "$1"
