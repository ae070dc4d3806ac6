# One server of the web runtime in a container; docs/performance.md says which variables it needs.
# Build it after `npm run bundle`: docker build --build-arg SERVER=attest -t disclosure-receipts-attest .
FROM node:24-slim
ARG SERVER=attest
WORKDIR /srv
COPY dist/server/${SERVER}/index.js ./
COPY dist/trust-anchors/ ./trust-anchors/
RUN cat trust-anchors/*.pem > trust-anchors.pem
ENV NODE_ENV=production TSA_CA_FILE=trust-anchors.pem PORT=8080
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=2s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so that it gets SIGTERM; it answers what was begun and ends within nine seconds.
CMD ["node", "index.js"]
