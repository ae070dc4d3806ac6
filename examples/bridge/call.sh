#!/bin/sh
# Plays a platform to the bridge of `npm start`: sends the signed report of a call, and prints what the bridge answers.
#   sh examples/bridge/call.sh retell|elevenlabs|vapi [how many words were spoken before the caller interrupted]
set -eu

BASE_URL=${BASE_URL:-http://127.0.0.1:8787}
SECRET=a-secret-of-this-example
platform=${1:-retell}
id="call_$(openssl rand -hex 8)"
now=$(date +%s)
began=$((now - 60))
text='Guten Tag. Hier spricht eine künstliche Intelligenz, kein Mensch. Ich bin für die Praxis am Hafen am Telefon.'
spoken=$(printf '%s' "$text" | cut -d ' ' -f "1-${2:-99}")
hmac() { printf '%s' "$1" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d ' ' -f 1; }

case $platform in
  retell)
    body='{"event":"call_ended","call":{"call_id":"'$id'","agent_id":"agent_reception","start_timestamp":'$began'000,"end_timestamp":'$now'000,"transcript_object":[{"role":"agent","content":"'$spoken'","words":[]},{"role":"user","content":"Hallo?","words":[]}]}}'
    header="x-retell-signature: v=${now}000,d=$(hmac "$body${now}000")" ;;
  elevenlabs)
    body='{"type":"post_call_transcription","data":{"agent_id":"agent_reception","conversation_id":"'$id'","transcript":[{"role":"agent","message":"'$spoken'","time_in_call_secs":0},{"role":"user","message":"Hallo?","time_in_call_secs":9}],"metadata":{"start_time_unix_secs":'$began',"call_duration_secs":60}}}'
    header="elevenlabs-signature: t=$now,v0=$(hmac "$now.$body")" ;;
  vapi)
    body='{"message":{"type":"end-of-call-report","call":{"id":"'$id'","assistantId":"agent_reception"},"artifact":{"messages":[{"role":"bot","message":"'$spoken'","time":'$began'000,"endTime":'$((began + 9))'000},{"role":"user","message":"Hallo?"}]}}}'
    header="x-signature: $(hmac "$now.$body")" ;;
  *) echo "there is no platform $platform" >&2; exit 1 ;;
esac
curl --silent --show-error --fail-with-body "$BASE_URL/bridge/$platform" -H "$header" -H "x-timestamp: $now" \
  -H 'Content-Type: application/json' --data-binary "$body"
echo
