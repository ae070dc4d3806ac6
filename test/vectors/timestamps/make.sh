#!/bin/sh
# Makes the openssl-*.der tokens and openssl-*.pem anchors with `openssl ts`. Run by hand in this folder, before make.ts.
set -eu
ROOT=$(printf 'disclosure-receipts timestamp vectors' | openssl dgst -sha256 -r | cut -c1-64)
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
DAYS=14600

# authority <name> <openssl genpkey arguments>: a root and a TSA certificate with keys of this kind
authority() {
  name=$1; shift
  mkdir "$WORK/$name"
  echo 01 >"$WORK/$name/serial"
  openssl genpkey "$@" -out "$WORK/$name/ca.key" 2>/dev/null
  openssl genpkey "$@" -out "$WORK/$name/tsa.key" 2>/dev/null
  openssl req -x509 -new -key "$WORK/$name/ca.key" -days $DAYS -subj "/C=DE/O=Vectors/CN=Root $name" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign $SIGOPT \
    -out "openssl-$name-ca.pem"
  openssl req -new -key "$WORK/$name/tsa.key" -subj "/C=DE/O=Vectors/CN=TSA $name" -out "$WORK/$name/tsa.csr"
  printf 'keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping\n' >"$WORK/extensions"
  openssl x509 -req -in "$WORK/$name/tsa.csr" -CA "openssl-$name-ca.pem" -CAkey "$WORK/$name/ca.key" \
    -days $DAYS -extfile "$WORK/extensions" $SIGOPT -out "$WORK/$name/tsa.pem" 2>/dev/null
}

# token <authority> <signer digest> <ESSCertID digest> <file>: a whole TimeStampResp beside the token
token() {
  cat >"$WORK/ts.cnf" <<CONFIG
[tsa]
default_tsa = config
[config]
serial = $WORK/$1/serial
default_policy = 2.999.1
digests = sha256
accuracy = secs:1
ordering = no
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = $3
CONFIG
  openssl ts -query -digest "$ROOT" -sha256 -cert -out "$WORK/query.tsq" 2>/dev/null
  openssl ts -reply -queryfile "$WORK/query.tsq" -config "$WORK/ts.cnf" -signer "$WORK/$1/tsa.pem" \
    -inkey "$WORK/$1/tsa.key" -chain "openssl-$1-ca.pem" "-$2" -out "openssl-$4.tsr" 2>/dev/null
  openssl ts -reply -in "openssl-$4.tsr" -token_out -out "openssl-$4.der" 2>/dev/null
  openssl ts -verify -digest "$ROOT" -in "openssl-$4.der" -token_in -CAfile "openssl-$1-ca.pem"
}

SIGOPT=
authority rsa -algorithm RSA -pkeyopt rsa_keygen_bits:2048
authority p256 -algorithm EC -pkeyopt ec_paramgen_curve:P-256
authority p384 -algorithm EC -pkeyopt ec_paramgen_curve:P-384
authority p521 -algorithm EC -pkeyopt ec_paramgen_curve:P-521
SIGOPT='-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32'
authority pss -algorithm RSA -pkeyopt rsa_keygen_bits:2048

for digest in sha256 sha384 sha512; do
  token rsa $digest sha256 rsa-$digest
  token p256 $digest sha256 p256-$digest
done
token p384 sha384 sha384 p384
token p521 sha512 sha512 p521
token rsa sha256 sha1 rsa-ess-v1
token pss sha256 sha256 pss-certificates
find . -name 'openssl-*.tsr' ! -name openssl-p256-sha256.tsr -delete
