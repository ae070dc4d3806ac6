// Die Seite auf Deutsch.
import { checksDe } from "./checks-de.ts";
import type { Text } from "./text.ts";

export const de: Text = {
  locale: "de-DE",
  wordmark: "Disclosure Receipts",
  title: "Belegprüfung",
  languageLabel: "Sprache",

  intro: {
    heading: "Einen Hinweisbeleg prüfen",
    lead: "Ein Beleg hält den Hinweis fest, dass man mit einem KI-System spricht: mit welchen Worten er gegeben wurde und wann. Hier prüfen Sie ihn ohne Konto und ohne dem Dienst vertrauen zu müssen.",
    drop: "Beleg hier ablegen",
    dropMore: "oder irgendwo auf dieser Seite einfügen",
    choose: "Datei auswählen",
    another: "Weitere Datei öffnen",
    paste: "Stattdessen Text einfügen",
    pasteLabel: "Beleg, Bericht oder Gesprächsbündel (JSON)",
    pasteButton: "Diesen Text prüfen",
    accepts:
      "Ein Beleg, ein Bericht oder das Bündel eines Gesprächs, als JSON. Hinzufügen lassen sich die Anfrage zu einem Beleg, eine veröffentlichte Wurzel oder ein Zertifikat (PEM).",
    pasted: "eingefügter Text",
    checking: "Wird geprüft …",
  },

  privacy: {
    summary: "Nichts, was Sie hier öffnen, verlässt dieses Gerät.",
    served: (origin) =>
      `Das erzwingt der Browser selbst: Die Seite darf sich mit ${origin} verbinden und mit nichts anderem. Sie fragt dort nach veröffentlichten Wurzeln und deren Zeitstempeln, per Nummer, und nach dem Zertifikat der Zeitstempelstelle. Sie sendet keine Inhalte, keine Cookies und keinen Beleg.`,
    saved:
      "Sie haben eine gespeicherte Kopie dieser Seite geöffnet: Sie verbindet sich mit gar nichts. Mit den veröffentlichten Wurzeln kann sie erst vergleichen, wenn Sie diese als Dateien hinzufügen.",
    save: "Um ganz sicherzugehen, speichern Sie diese Seite, trennen Sie die Verbindung und öffnen Sie die gespeicherte Datei.",
    policy: "Die Regel, die Ihr Browser durchsetzt",
  },

  verdict: {
    holds: {
      receipt: "Dieser Beleg hält der Prüfung stand.",
      bundle: "Dieses Gespräch hält der Prüfung stand.",
      turns: (first, last) =>
        first === last
          ? `Schritt ${first} dieses Gesprächs hält der Prüfung stand.`
          : `Schritt ${first} bis ${last} dieses Gesprächs halten der Prüfung stand.`,
      proof: "Dieser Nachweis hält der Prüfung stand.",
      seal: "Diese veröffentlichte Wurzel hält der Prüfung stand.",
    },
    partly: {
      receipt: "Dieser Beleg hält stand, soweit er sich jetzt prüfen lässt.",
      bundle: "Dieses Gespräch hält stand, soweit es sich jetzt prüfen lässt.",
      turns: (first, last) =>
        first === last
          ? `Schritt ${first} dieses Gesprächs hält stand, soweit er sich jetzt prüfen lässt.`
          : `Schritt ${first} bis ${last} dieses Gesprächs halten stand, soweit sie sich jetzt prüfen lassen.`,
      proof: "Dieser Nachweis hält stand, soweit er sich jetzt prüfen lässt.",
      seal: "Diese veröffentlichte Wurzel hält stand, soweit sie sich jetzt prüfen lässt.",
    },
    broken: {
      receipt: "Dieser Beleg hält der Prüfung nicht stand.",
      bundle: "Dieses Gespräch hält der Prüfung nicht stand.",
      turns: (first, last) =>
        first === last
          ? `Schritt ${first} dieses Gesprächs hält der Prüfung nicht stand.`
          : `Schritt ${first} bis ${last} dieses Gesprächs halten der Prüfung nicht stand.`,
      proof: "Dieser Nachweis hält der Prüfung nicht stand.",
      seal: "Diese veröffentlichte Wurzel hält der Prüfung nicht stand.",
    },
    holdsReason: {
      receipt:
        "Er ist seit der Aufzeichnung unverändert, die öffentliche Liste umfasst ihn, und eine Zeitstempelstelle hat bestätigt, dass er spätestens zum unten genannten Zeitpunkt vorlag.",
      bundle:
        "Seine Belege sind unverändert und folgen lückenlos aufeinander. Die öffentliche Liste umfasst sie, und eine Zeitstempelstelle hat bestätigt, dass sie spätestens zu den unten genannten Zeitpunkten vorlagen.",
      proof:
        "Er führt zur öffentlichen Liste, und eine Zeitstempelstelle hat bestätigt, dass das, wofür er steht, spätestens zum unten genannten Zeitpunkt vorlag.",
      seal: "Sie enthält alles, was die vorige Wurzel enthielt, und eine Zeitstempelstelle hat sie signiert.",
    },
    partlyReason: "Nichts widerspricht. Noch offen:",
    brokenReason: (failed, made) =>
      failed === 1
        ? `Eine von ${made} Prüfungen ist fehlgeschlagen:`
        : `${failed} von ${made} Prüfungen sind fehlgeschlagen:`,
    more: (count) => `und ${count} weitere, unten aufgeführt`,
    proofOnly: "Es ist ein Nachweis ohne seinen Beleg, er zeigt also nicht, was gesagt wurde.",
    remarks: (count, all) =>
      all === 1
        ? "Das heißt nicht, dass der Hinweis den Regeln entsprach: Er wurde mit Anmerkungen aufgezeichnet, siehe unten."
        : `Das heißt nicht, dass jeder Hinweis den Regeln entsprach: ${count} von ${all} ${count === 1 ? "wurde" : "wurden"} mit Anmerkungen aufgezeichnet, siehe unten.`,
    notAll: "Das ist nicht das ganze Gespräch.",
    missing: (before, from) => {
      const ranges = [
        ...(before === null ? [] : [before === 1 ? "Schritt 1" : `Schritt 1 bis ${before}`]),
        ...(from === null ? [] : [`alles ab Schritt ${from}`]),
      ];
      return `Es fehlt: ${ranges.join(" und ")}. Fügen Sie die fehlende Datei hinzu, dann wird beides zusammen geprüft.`;
    },
    inTurn: (turn) => `Schritt ${turn}`,
    inRoot: (index) => `Wurzel Nr. ${index}`,
    weakAnchor:
      "Der Zeitstempel wurde mit dem Zertifikat geprüft, das dieser Dienst selbst nennt. Das ist ein schwächerer Beweis: Er zeigt, dass der Dienst mit sich selbst übereinstimmt. Für einen Nachweis, der nicht vom Dienst abhängt, beziehen Sie das Zertifikat von der Zeitstempelstelle und fügen es hinzu.",
  },

  facts: {
    heading: "Was offengelegt wurde",
    claimed: "Was im Beleg steht",
    claimedNote: "Der Beleg hält der Prüfung nicht stand, also ist nichts davon bewiesen.",
    brokenWhole:
      "Als Ganzes hält es der Prüfung nicht stand. Was sich von jedem Schritt zeigen lässt, steht unten.",
    limit: "Ein Beleg zeigt, was aufgezeichnet wurde. Ob es jemand gehört oder gelesen hat, zeigt er nicht.",
    conversation: "Das Gespräch",
    when: "Aufgezeichnet",
    ownClock: "nach der eigenen Uhr des Dienstes",
    proven: "Vorhanden spätestens",
    signed: (authority) => `signiert von ${authority}`,
    signedOnce: (authority, until) => `signiert von ${authority}; dieses Zertifikat lief am ${until} ab`,
    language: "Sprache",
    method: "Art",
    place: "Schritt",
    turn: (turn) => `Schritt ${turn} des Gesprächs`,
    jurisdiction: "Recht",
    law: (clause, country) => `Art. 50 Abs. ${clause} der Verordnung (EU) 2024/1689, ${country}`,
    assessment: "Wortlaut",
    rules: (jurisdiction, version) => `nach den Regeln des Dienstes für ${jurisdiction}, Fassung ${version}`,
    unknownWording:
      "Der Beleg nennt den Wortlaut nur als Hashwert; der Text gehört nicht zu den veröffentlichten.",
    interaction: "Gespräch",
    receipts: "Belege",
    period: "Zeitraum",
    to: (from, until) => `${from} bis ${until}`,
    erased: "gelöscht",
    agent: "Agent",
  },

  terms: {
    ALLOW: "Freigegebener Wortlaut",
    MODIFY: "Aufgezeichnet, mit Anmerkungen",
    BLOCK: "Aufgezeichnet, aber dieser Wortlaut war nicht mehr freigegeben",
    voice: "Sprachgespräch",
    chat: "Chat",
    walkthrough: "Vorführung mit künstlicher Stimme",
    spoken_introduction: "Gesprochene Einleitung",
    spoken_reminder: "Gesprochene Erinnerung",
    written_notice: "Schriftlicher Hinweis",
    visual_label: "Sichtbare Kennzeichnung",
    method_unknown: "diese Art des Hinweises steht nicht auf der Liste",
    method_not_for_modality: "diese Art des Hinweises passt nicht zu dieser Art von Gespräch",
    wording_unknown: "der Wortlaut ist kein freigegebener",
    wording_for_other_modality: "der Wortlaut ist für eine andere Art von Gespräch freigegeben",
    wording_for_other_method: "der Wortlaut ist für eine andere Art des Hinweises freigegeben",
    wording_not_yet_approved: "der Wortlaut war an diesem Tag noch nicht freigegeben",
    wording_retired: "der Wortlaut war an diesem Tag bereits zurückgezogen",
  },

  picture: {
    heading: "Vom Beleg zur veröffentlichten Wurzel",
    lead: "Jede Linie ist eine Rechnung, die jeder wiederholen kann.",
    open: "Öffnen Sie einen Teil, um seine Hashwerte zu sehen.",
    label: "Pfad vom Beleg zur veröffentlichten Wurzel und ihrem Zeitstempel",
    receipt: "Beleg",
    proof: "Blatt der Kette",
    chain: "Wurzel der Kette",
    root: (index) => `Veröffentlichte Wurzel Nr. ${index}`,
    unpublished: "Veröffentlichte Wurzel",
    pendingRoot: "noch nicht in dieser Datei",
    stamp: "Zeitstempel",
    pendingStamp: "steht noch aus",
    of: (place, size) => `Beleg ${place} von ${size}`,
    left: "links",
    right: "rechts",
  },

  timeline: {
    heading: "Die Kette dieses Gesprächs",
    lead: "Eine Linie verknüpft einen Beleg mit dem vorigen. Die Klammer nennt die veröffentlichte Wurzel, die ihn umfasst.",
    label: (count) => `Kette aus ${count} Belegen`,
    bead: (turn, state) => `Schritt ${turn}: ${state}`,
    root: (index) => `Wurzel ${index}`,
    pending: "noch keine Wurzel",
    turns: "Schritt für Schritt",
    roots: "Die veröffentlichten Wurzeln",
    oneRoot: "Die veröffentlichte Wurzel",
    rootsLead: "Das Bündel enthält die Wurzeln, zu denen seine Belege führen.",
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
    sealed_at: "Gebildet",
    receipt_count: "Hinzugekommene Belege, nach eigener Angabe des Dienstes",
    seal_index: "Nummer der veröffentlichten Wurzel",
    compared: "Verglichen mit",
    genTime: "Zeit",
    authority: "Signiert von",
    tsa_url: "Adresse der Stelle",
    none: "keiner",
    published: (origin) => `der Liste unter ${origin}`,
    added: "der Datei, die Sie hinzugefügt haben",
    enclosed: "der Kopie in diesem Bündel",
    nothing: "noch nichts",
    unproven: "nicht geprüft",
    mac: "Den Authentisierungscode des Belegs kann nur der Dienst prüfen. Nichts hier stützt sich darauf.",
  },

  checks: {
    heading: "Alle Prüfungen",
    whole: "Das Gespräch als Ganzes",
    detail: "Technischer Grund",
    columns: { result: "Ergebnis", check: "Prüfung", reason: "Bedeutung" },
    unconnected:
      "Nicht verglichen: Diese gespeicherte Seite verbindet sich mit nichts. Öffnen Sie die veröffentlichte Wurzel als Datei, um sie zu vergleichen.",
    enclosedRoot: "Führt zur beiliegenden Wurzel.",
    noCertificate: "Es liegt kein Zertifikat der Zeitstempelstelle vor, mit dem er sich prüfen ließe.",
    insecure:
      "Browser prüfen Signaturen nur auf Seiten, die über HTTPS oder vom eigenen Gerät kamen. Öffnen Sie die Seite so, um den Zeitstempel zu prüfen.",
    expired:
      "Er war echt, als er entstand, aber ein Zertifikat dahinter ist inzwischen abgelaufen. Ein neuerer Zeitstempel würde ihn erneuern.",
    renewed:
      "Der eigene Zeitstempel trägt nicht mehr oder fehlt. Eine spätere Wurzel, die diese enthält, hat eine Zeitstempelstelle signiert, deren Zertifikat noch gültig ist.",
    otherCertificate:
      "Der Zeitstempel führt nicht zum hier verwendeten Zertifikat. Zu einem anderen kann er dennoch führen.",
  },

  again: {
    heading: "Ohne uns noch einmal prüfen",
    timestamp: "Den Zeitstempel, mit OpenSSL",
    timestampLead: "Legen Sie das Zertifikat der Stelle als authority.pem und den Beleg als receipt.json ab.",
    sealLead: "Legen Sie das Zertifikat der Stelle als authority.pem und die Wurzel als root.json ab.",
    bundleLead: "Legen Sie das Zertifikat der Stelle als authority.pem und das Bündel als bundle.json ab.",
    copy: "Kopieren",
    copied: "Kopiert",
    saveToken: "Zeitstempel speichern (DER)",
    address: "Die veröffentlichte Wurzel",
    addressLead: "Muss diese Wurzel zeigen:",
    unserved: (path) => `${path} auf dem Host des Dienstes oder bei jedem Spiegel`,
    pendingRoot:
      "Diese Datei entstand, bevor ihre Wurzel veröffentlicht war. Wenige Minuten später gibt es eine neuere mit dem fehlenden Nachweis: Fragen Sie die Stelle, von der Sie diese haben.",
    rest: "Alles Übrige ist SHA-256 über kanonischem JSON (RFC 8785) und Merkle-Bäume nach RFC 9162: Jedes Prüfprogramm, das nach der Beschreibung des Formats geschrieben ist, muss zum selben Ergebnis kommen.",
    noTimestamp: "Es gibt noch keinen Zeitstempel zu prüfen.",
  },

  anchor: {
    heading: "Wessen Zeitstempel",
    none: "Es liegt kein Zertifikat einer Zeitstempelstelle vor, daher konnte kein Zeitstempel geprüft werden.",
    service:
      "Von diesem Dienst selbst. Schwächerer Beweis: Er zeigt nur, dass der Dienst mit sich selbst übereinstimmt.",
    known:
      "Von dieser Seite, die die Wurzelzertifikate bekannter öffentlicher Stellen enthält. Vergleichen Sie den Fingerabdruck mit dem, den die Stelle veröffentlicht.",
    reader: (name) => `Von Ihnen: ${name}.`,
    choose: "Anderes Zertifikat verwenden (PEM)",
    add: "Zertifikat hinzufügen (PEM)",
    subject: "Zertifikat",
    source: "Woher es stammt",
    fingerprint: "SHA-256-Fingerabdruck",
    validity: "Gültig",
    eidas: "Ein Zeitstempel nach RFC 3161. Er ist kein qualifizierter Zeitstempel nach eIDAS.",
  },

  add: {
    request: "Anfrage hinzugefügt. Ein einzelner Beleg wird mit ihr verglichen.",
    seal: (index) => `Veröffentlichte Wurzel Nr. ${index} hinzugefügt.`,
    certificates: "Zertifikat hinzugefügt. Zeitstempel werden damit geprüft.",
    page: "Die Dateien gehören zu einem Gespräch und werden zusammen geprüft.",
    later: "Wird beim nächsten Beleg verwendet.",
  },

  file: {
    heading: "Was geprüft wurde",
    name: "Datei",
    size: (count) => `${count} Bytes`,
    digest: "SHA-256 der Datei",
    checkedAt: "Geprüft",
    print: "Nachweisblatt drucken",
    where: "in diesem Browser",
  },

  problems: {
    heading: "Das ließ sich nicht lesen.",
    too_large: "Die Datei ist größer als jeder Beleg und jedes Bündel. Sie wurde nicht geöffnet.",
    not_json:
      "Das ist kein wohlgeformtes JSON, oder es ist so geschrieben, dass zwei Programme es verschieden lesen könnten.",
    immodest:
      "Ein Feld oder eine Liste in dieser Datei ist weit länger als in jedem Beleg. Sie wurde nicht untersucht.",
    unknown: "Das ist weder ein Beleg noch ein Bericht, ein Bündel oder eine veröffentlichte Wurzel.",
    malformed:
      "Das sieht aus wie ein Nachweis, aber ein Teil ist so beschädigt, dass er sich nicht lesen lässt:",
    certificates: "Dieses Zertifikat ließ sich nicht lesen.",
    too_slow: "Die Prüfung dauerte zu lange und wurde abgebrochen.",
    failed: "Beim Prüfen ist etwas fehlgeschlagen, daher lässt sich über diese Datei nichts sagen.",
  },

  footer: "Das Programm, das hier prüft, kann jeder nachlesen.",
  checkTexts: checksDe,
};
