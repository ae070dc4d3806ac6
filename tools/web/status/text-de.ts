// The words of the status page in German.
import type { StatusText } from "./text-en.ts";

export const statusDe: StatusText = {
  locale: "de-DE",
  wordmark: "Disclosure Receipts",
  title: "Stand dieses Dienstes",
  languageLabel: "Sprache",

  intro: {
    heading: "Belege für KI-Hinweise",
    lead: "Dieser Dienst trägt Hinweise ein, dass man mit einem KI-System spricht (Art. 50 Abs. 1 der Verordnung (EU) 2024/1689), so wie seine Kunden sie angeben, und antwortet mit einem Beleg. Wer einen Beleg hat, kann ihn prüfen: ohne Konto und ohne dem Dienst vertrauen zu müssen.",
    verify: "Einen Beleg prüfen",
    describe: "Beschreibung der API",
  },

  reading: "Wird gelesen …",
  readAt: "Vom Dienst gelesen am",
  again: "Neu lesen",
  stated: "Die Zahlen und Angaben auf dieser Seite sind die des Dienstes. Die Seite prüft keine davon.",
  saved:
    "Dies ist eine gespeicherte Kopie, die keinen Dienst fragen kann. Öffnen Sie die Adresse des Dienstes selbst.",
  absent: "Noch nicht veröffentlicht.",
  failed: "Konnte nicht gelesen werden:",

  roots: {
    heading: "Veröffentlichte Wurzeln",
    newest: "Neueste Wurzel",
    none: "Noch ist keine Wurzel veröffentlicht. Der erste Beleg erhält seine, sobald der Dienst das nächste Mal veröffentlicht.",
    count: "Veröffentlichte Wurzeln",
    entries: "Einträge der öffentlichen Liste",
    number: (index) => `Nr. ${index}`,
    sealed: "Veröffentlicht",
    clock: "nach der Uhr des Dienstes, von der Uhr dieses Geräts aus gesehen",
    future: "Die Uhren gehen verschieden: Nach der Uhr dieses Geräts liegt dieser Zeitpunkt noch vor uns.",
    receipts: "Belege darunter",
    newReceipts: (count) => `${count}, die keine frühere Wurzel umfasst`,
    root: "Wurzel",
    timestamps: "Zeitstempeldienste",
    pending: "Der Zeitstempel steht noch aus.",
  },

  log: {
    heading: "Die signierte Liste",
    lead: "Die öffentliche Liste signiert jede Wurzel digital. Zeugen können mit eigenen Signaturen bestätigen, dass sie keine andere Fassung der Liste gesehen haben. Diese Seite prüft keine Signatur: Das geschieht bei der Prüfung eines Belegs, mit Schlüsseln, die Sie selbst wählen.",
    none: "Noch ist kein Kontrollpunkt veröffentlicht: Der Schlüssel der Liste hat noch nicht geantwortet, oder es gibt noch keine Wurzel.",
    origin: "Name der Liste",
    size: "Einträge im neuesten Kontrollpunkt",
    cosigners: "Weitere Signaturen",
    noCosigners: "keine",
    key: "Schlüssel, den der Dienst nennt",
    quorum: "Zuletzt von genug Zeugen signiert",
    quorumSize: (count) => `eine Liste mit ${count} Einträgen`,
    quorumStates: {
      none: "keiner der neuesten Kontrollpunkte",
      not_asked: "Dieser Dienst fragt keine Zeugen.",
      unknown: "Der Dienst konnte seine Kontrollpunkte nicht lesen, oder sie halten nicht stand.",
    },
    old: (hours) =>
      `Dass genug Zeugen signiert haben, was sie stündlich tun sollten, ist mehr als ${hours} Stunden her: Dies kann ein alter Stand der Liste sein, und neuere Wurzeln können zurückgehalten sein.`,
  },

  jurisdictions: {
    heading: "Länder",
    lead: "Für jedes Land führt der Dienst eine Liste der Texte, mit denen ein Hinweis gegeben wird. Jede Fassung einer Liste wird unter dem Hash ihrer Bytes veröffentlicht und ändert sich nie.",
    unpublished: "Die Textlisten selbst hat der Dienst noch nicht veröffentlicht.",
    country: "Land",
    status: "Stand",
    version: "Fassung",
    list: "Textliste",
    current: "aktuelle Fassung",
    all: "alle Fassungen",
  },

  capabilities: {
    heading: "Was geht, und was nicht",
    checkedOn: "Zuletzt geprüft am",
    capability: "Fähigkeit",
    status: "Stand",
    endpoints: (count) => `Die ${count} Aufrufe der API im Einzelnen`,
    call: "Aufruf",
    confirmed: (day) => `bestätigt am ${day}`,
    unconfirmed: "Bestätigung steht aus",
    access: { key: "mit Schlüssel", public: "ohne Schlüssel" },
  },

  statuses: {
    active: "aktiv",
    available: "verfügbar",
    in_controlled_testing: "in kontrollierter Erprobung",
    in_development: "in Entwicklung",
    planned: "geplant",
    not_available: "nicht verfügbar",
    see_jurisdictions: "siehe Länder",
    with_a_paid_agreement: "mit kostenpflichtigem Vertrag",
  },

  translations: {
    "The public API host is in development and access is by application. Apart from the published Merkle roots, no public API is served on it.":
      "Der öffentliche API-Host ist in Entwicklung, und Zugang gibt es auf Antrag. Außer den veröffentlichten Merkle-Wurzeln bietet er keine öffentliche API.",
    "A deployment in an account of one's own serves all endpoints that are listed here.":
      "Eine Installation im eigenen Konto bietet alle Aufrufe, die hier aufgeführt sind.",
    "The attestation capability is in controlled testing. That any individual endpoint works is confirmed per endpoint, and that confirmation is open.":
      "Das Eintragen von Hinweisen ist in kontrollierter Erprobung. Dass ein Aufruf funktioniert, wird für jeden einzeln bestätigt, und diese Bestätigung steht aus.",
    "Production access is part of an applicable paid agreement. Endpoints are not priced separately.":
      "Der produktive Zugang ist Teil eines entsprechenden kostenpflichtigen Vertrags. Einzelne Aufrufe haben keinen eigenen Preis.",
    "Recording the disclosure with wording hash and position in the call":
      "Eintrag des Hinweises mit dem Hash seines Wortlauts und seiner Stelle im Gespräch",
    "Merkle inclusion path and chain link in the same response":
      "Merkle-Pfad und Verkettung in derselben Antwort",
    "Per-jurisdiction wording": "Texte nach Ländern",
    "Machine-readable marking of synthetic audio (Art. 50(2))":
      "Maschinenlesbare Kennzeichnung synthetischer Stimmen (Art. 50 Abs. 2)",
    "No date; not in the product.": "Ohne Termin; nicht Teil des Produkts.",
    "Public receipt verifier": "Öffentliche Prüfseite für Belege",
    "No verifier is served on the public API host. Every deployment serves one at /verify.":
      "Auf dem öffentlichen API-Host gibt es keine Prüfseite. Jede Installation hat eine unter /verify.",
  },

  links: {
    heading: "Für Maschinen und Neugierige",
    verify: "die Prüfseite: einen Beleg im Browser prüfen",
    openapi: "die API als OpenAPI 3.1",
    problems: "jeder Fehler, und was dann zu tun ist (englisch)",
    policy: "die Textlisten nach Ländern",
    head: "die neueste veröffentlichte Wurzel",
    checkpoint: "der neueste signierte Kontrollpunkt der Liste",
    status: "der Stand auf dieser Seite als Daten",
  },

  footer:
    "Diese Seite fragt ihren eigenen Host und keinen anderen. Sie setzt keine Cookies. Der Dienst ist quelloffen unter der Apache License 2.0.",
};
