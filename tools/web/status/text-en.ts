// The words of the status page in English. Every other language has the same shape.

export const statusEn = {
  locale: "en-GB",
  wordmark: "Disclosure Receipts",
  title: "Status of this service",
  languageLabel: "Language",

  intro: {
    heading: "Receipts for AI notices",
    lead: "This service records the notices that a person is speaking with an AI system (Art. 50(1) of Regulation (EU) 2024/1689), as its callers attest them, and answers with a receipt. Whoever holds a receipt can check it, without an account and without trusting the service.",
    verify: "Check a receipt",
    describe: "Description of the API",
  },

  reading: "Reading …",
  readAt: "Read from the service on",
  again: "Read again",
  stated: "The figures and words below are the service’s own. This page checks none of them.",
  saved: "This is a saved copy, and it has no service to ask. Open the address of the service itself.",
  absent: "Not published yet.",
  failed: "Could not be read:",

  roots: {
    heading: "Published roots",
    newest: "Newest root",
    none: "No root is published yet. The first receipt gets its root when the service publishes next.",
    count: "Published roots",
    entries: "Entries of the public log",
    number: (index: string) => `no. ${index}`,
    sealed: "Published",
    clock: "by the service’s clock, seen from the clock of this device",
    future: "The clocks disagree: by the clock of this device, this time is still to come.",
    receipts: "Receipts under it",
    newReceipts: (count: string) => `${count} that no earlier root covers`,
    root: "Root",
    timestamps: "Timestamp authorities",
    pending: "The timestamp is still pending.",
  },

  log: {
    heading: "Signed log",
    lead: "The log signs each root. Witnesses can confirm by signatures of their own that they have seen no other version of it. This page verifies no signature: the check of a receipt does, with keys that you choose yourself.",
    none: "No checkpoint is published yet: the log’s key has not answered, or there is no root yet.",
    origin: "Name of the log",
    size: "Entries in its newest checkpoint",
    cosigners: "Further signatures",
    noCosigners: "none",
    key: "Key that the service names",
    quorum: "Last signed by enough witnesses",
    quorumSize: (count: string) => `a tree of ${count} entries`,
    quorumStates: {
      none: "none of the newest checkpoints",
      not_asked: "This service asks no witness.",
      unknown: "The service could not read its checkpoints, or they do not hold.",
    } as Record<string, string>,
    old: (hours: string) =>
      `It is more than ${hours} hours since enough witnesses signed, which they should do every hour: this may be an old state of the log, and newer roots may be kept back.`,
  },

  jurisdictions: {
    heading: "Countries",
    lead: "For each country the service has a list of the texts by which a notice is given. Each version of a list is published under the hash of its bytes, and never changes.",
    unpublished: "The service has not published the lists of texts themselves yet.",
    country: "Country",
    status: "Status",
    version: "Version",
    list: "Texts",
    current: "current version",
    all: "all versions",
  },

  capabilities: {
    heading: "What works, and what does not",
    checkedOn: "Last checked on",
    capability: "Capability",
    status: "Status",
    endpoints: (count: string) => `The ${count} calls of the API, one by one`,
    call: "Call",
    confirmed: (day: string) => `confirmed on ${day}`,
    unconfirmed: "confirmation is open",
    access: { key: "with a key", public: "without a key" } as Record<string, string>,
  },

  statuses: {
    active: "active",
    available: "available",
    in_controlled_testing: "in controlled testing",
    in_development: "in development",
    planned: "planned",
    not_available: "not available",
    see_jurisdictions: "see the countries",
    with_a_paid_agreement: "with a paid agreement",
  } as Record<string, string>,

  /** Sentences that the service says in English, in this language. One that is not here is shown as it is. */
  translations: {} as Record<string, string>,

  links: {
    heading: "For machines and the curious",
    verify: "the verifier: check a receipt in the browser",
    openapi: "the API, as OpenAPI 3.1",
    problems: "every error, and what to do about it",
    policy: "the lists of texts, by country",
    head: "the newest published root",
    checkpoint: "the log’s newest signed checkpoint",
    status: "the status on this page, as data",
  },

  footer:
    "This page asks its own host and no other. It sets no cookies. The service is open source under the Apache License 2.0.",
};

export type StatusText = typeof statusEn;
