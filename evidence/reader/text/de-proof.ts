// Die Wörter der Seite zu Nachweisen: Bilder, Hashwerte, Prüfungen, Zertifikate, und wie man die Prüfung wiederholt.
import { count } from "../../core/verify/count.ts";
import type { proofEn } from "./en-proof.ts";

export const proofDe: typeof proofEn = {
  picture: {
    heading: "Vom Beleg zur veröffentlichten Wurzel",
    lead: "Jede Linie ist eine Berechnung, die jeder wiederholen kann.",
    open: "Öffnen Sie einen Teil, um seine Hashwerte zu sehen.",
    label: "Pfad vom Beleg zur veröffentlichten Wurzel und ihrem Zeitstempel",
    receipt: "Beleg",
    proof: "Blatt der Kette",
    chain: "Wurzel der Kette",
    root: (index) => `Veröffentlichte Wurzel Nr. ${index}`,
    unpublished: "Veröffentlichte Wurzel",
    pendingRoot: "noch nicht in dieser Datei",
    timestamp: "Zeitstempel",
    pendingTimestamp: "steht noch aus",
    unproven: "seine Zeit ist nicht belegt",
    of: (place, size) => `Beleg ${place} von ${size}`,
    left: "links",
    right: "rechts",
  },

  timeline: {
    heading: "Die Kette dieses Gesprächs",
    lead: "Eine Linie verknüpft einen Beleg mit dem vorigen. Die Klammer nennt die veröffentlichte Wurzel, die ihn umfasst. Die Zeiten sind die der Uhr des Dienstes, in UTC.",
    label: (receipts) => `Kette aus ${count(receipts, "Beleg", "Belegen")}`,
    bead: (turn, state) => `Hinweis ${turn}: ${state}`,
    root: (index) => `Wurzel ${index}`,
    pending: "noch keine Wurzel",
    turns: "Hinweis für Hinweis",
    roots: "Die veröffentlichten Wurzeln",
    oneRoot: "Die veröffentlichte Wurzel",
    rootsLead: "Die Datei enthält die Wurzeln, zu denen ihre Belege führen.",
    unlinked: "nicht mit dem vorigen verknüpft",
    remarked: "mit Anmerkungen eingetragen",
  },

  state: { holds: "bestanden", open: "offen", broken: "nicht bestanden", aside: "hier nicht nötig" },

  hashes: {
    event_id: "Belegnummer",
    chain_id: "Kette",
    sequence: "Platz in der Kette (ab 0)",
    leaf_hash: "Blatt-Hash",
    subject_hash: "Hashwert des Wortlauts",
    input_hash: "Hash der Anfrage",
    output_hash: "Hash des Ergebnisses",
    previous_hash: "Voriger Beleg der Kette",
    previous_turn_hash: "Voriger Beleg des Gesprächs",
    tree_size: "Größe des Baums",
    path: "Pfad",
    chain_root: "Wurzel der Kette",
    root: "Wurzel",
    laterRoot: "Spätere Wurzel, die diese enthält",
    sealed_at: "Gebildet, nach der eigenen Uhr des Dienstes",
    receipt_count: "Hinzugekommene Belege, nach eigener Angabe des Dienstes",
    seal_index: "Nummer der veröffentlichten Wurzel",
    compared: "Verglichen mit",
    genTime: "Belegte Zeit",
    signedAt: "Zeitstempel vom",
    statedTime: "Zeit, die der Zeitstempel nennt; sie wurde nicht geprüft",
    authority: "Bestätigt von",
    tsa_url: "Adresse des Dienstes, wie angegeben",
    none: "keiner",
    published: (origin) => `der Liste unter ${origin}`,
    added: "der Datei, die Sie hinzugefügt haben",
    enclosed: "allein der Kopie in dieser Datei",
    nothing: "noch nichts",
    mac: "Den Authentisierungscode des Belegs kann nur der Dienst prüfen. Nichts hier stützt sich darauf.",
  },

  checks: {
    heading: "Alle Prüfungen",
    whole: "Das Gespräch als Ganzes",
    detail: "Technischer Grund",
    columns: { result: "Ergebnis", check: "Prüfung", reason: "Bedeutung" },
    renewed:
      "Der eigene Zeitstempel trägt nicht mehr oder fehlt. Eine spätere Wurzel, die diese enthält, hat ein Zeitstempeldienst bestätigt, dessen Zertifikat noch gültig ist.",
    unbounded: "Er nennt keine frühere Wurzel; es ist also keine Zeit belegt, nach der er eingetragen wurde.",
  },

  repeat: {
    heading: "Ohne uns noch einmal prüfen",
    timestamp: "Den Zeitstempel, mit OpenSSL",
    timestampLead:
      "Speichern Sie den Zeitstempel hier als token.der, und legen Sie das Zertifikat des Zeitstempeldienstes als authority.pem daneben. Dann:",
    copy: "Kopieren",
    copied: "Kopiert",
    saveToken: "Zeitstempel speichern (token.der)",
    address: "Die veröffentlichte Wurzel",
    addressLead: "Muss diese Wurzel zeigen:",
    addRootLead: "Wenn Sie sie selbst von dort haben, und nicht von der Stelle, die Ihnen den Beleg gab:",
    addRoot: "Veröffentlichte Wurzel hinzufügen (Datei)",
    unserved: (path) => `${path} auf dem Host des Dienstes oder bei jedem Spiegel`,
    rest: "Alles Übrige ist SHA-256 über kanonischem JSON (RFC 8785) und Merkle-Bäume nach RFC 9162: Jedes Prüfprogramm, das nach der Beschreibung des Formats geschrieben ist, muss zum selben Ergebnis kommen.",
    noTimestamp: "Es gibt noch keinen Zeitstempel zu prüfen.",
  },

  log: {
    heading: "Wer die Wurzel digital signiert hat",
    unsigned:
      "Mit dem vorliegenden Schlüssel oder der Richtlinie ließ sich kein signierter Kontrollpunkt dieser Wurzel prüfen.",
    unknownSignature:
      "Nicht geprüft: Dieser Browser prüft keine Ed25519-Signaturen, oder die Seite kam nicht über HTTPS. Ein neuerer Browser kann es, und das Kommandozeilenprogramm auch.",
    source:
      "Nehmen Sie den Schlüssel woanders her als aus der geprüften Datei: Der Betreiber nennt ihn, und GET /v1/metachain zeigt ihn.",
    label: "Schlüssel der Liste (vkey)",
    check: "Mit diesem Schlüssel prüfen",
    malformed:
      "Das ist kein Schlüssel einer Liste: Er hat einen Namen, acht Hexadezimalziffern und Base64, mit + verbunden. Mit diesem wurde nichts geprüft. Eine Richtlinie fügen Sie als Datei hinzu.",
    choose: "Schlüssel oder Richtlinie hinzufügen (Datei)",
  },
  anchor: {
    heading: "Worauf der Zeitstempel beruht",
    none: "Mit den vorliegenden Zertifikaten konnte kein Zeitstempel geprüft werden.",
    service:
      "Von diesem Dienst selbst. Geringere Aussagekraft: Es zeigt nur, dass der Dienst mit sich selbst übereinstimmt.",
    known:
      "Von diesem Programm, das die Wurzelzertifikate bekannter öffentlicher Zeitstempeldienste enthält. Vergleichen Sie den Fingerabdruck mit dem, den der Dienst veröffentlicht.",
    reader: (name) => `Von Ihnen: ${name}.`,
    choose: "Anderes Zertifikat verwenden (PEM)",
    add: "Zertifikat hinzufügen (PEM)",
    authority: "Zeitstempeldienst",
    subject: "Zertifikat",
    source: "Woher es stammt",
    fingerprint: "SHA-256-Fingerabdruck",
    validity: "Gültig",
    eidas: "Der Zeitstempel folgt RFC 3161. Ein qualifizierter Zeitstempel nach eIDAS ist er nicht.",
  },
};
