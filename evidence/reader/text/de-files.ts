// Die Wörter der Seite zu den Dateien: die Liste, was nicht dazugehört, und was sich nicht lesen lässt.
import { count } from "../../core/verify/count.ts";
import type { filesEn } from "./en-files.ts";

/** "1 Datei", "4 Dateien", im Nominativ wie im Dativ. */
const files = (count: number): string => `${count} ${count === 1 ? "Datei" : "Dateien"}`;

export const filesDe: typeof filesEn = {
  intro: {
    heading: "Einen Beleg über einen KI-Hinweis prüfen",
    lead: "Ein Beleg hält den Hinweis fest, dass man mit einem KI-System spricht: mit welchen Worten er gegeben wurde und wann. Hier prüfen Sie ihn ohne Konto und ohne dem Dienst vertrauen zu müssen.",
    drop: "Belege hier ablegen",
    dropMore: "oder einen irgendwo auf dieser Seite einfügen",
    choose: "Dateien auswählen",
    another: "Dateien hinzufügen",
    chooseFolder: "Ordner auswählen",
    anotherFolder: "Ordner hinzufügen",
    startOver: "Von vorn beginnen",
    paste: "Stattdessen Text einfügen",
    pasteLabel:
      "Beleg, ergänzter Beleg oder alle Belege eines Gesprächs (JSON), .tlog-proof oder Schlüssel einer Liste",
    pasteButton: "Diesen Text prüfen",
    accepts:
      "Belege, ergänzte Belege oder alle Belege eines Gesprächs in einer Datei, als JSON, und Belege als .tlog-proof; beliebig viele. Hinzufügen lassen sich die Anfrage zu einem Beleg, eine veröffentlichte Wurzel, ein Zertifikat (PEM), der Schlüssel der Liste, eine Textliste oder der Ordner mit dem Verlauf einer Kette.",
    pasted: "eingefügter Text",
    checking: "Wird geprüft …",
    samples: "Kein Beleg zur Hand?",
    good: "Ein Beispiel öffnen",
    forged: "Ein gefälschtes öffnen",
    isSample:
      "Das ist ein Beispiel. Es bringt seine eigene veröffentlichte Wurzel und sein Zertifikat mit und wird mit nichts anderem verglichen.",
  },

  overview: {
    holds: (_, all) => `Alle ${files(all)} halten der technischen Prüfung stand.`,
    holds_so_far: (_, all) => `Alle ${files(all)} halten stand, soweit sie sich jetzt prüfen lassen.`,
    does_not_hold: (count, all) =>
      `${count} von ${files(all)} ${count === 1 ? "hält" : "halten"} der technischen Prüfung nicht stand.`,
    unreadable: (count, all) =>
      `${count} von ${files(all)} ${count === 1 ? "ließ" : "ließen"} sich nicht lesen.`,
    contradiction: "Jede Datei für sich hält stand, aber sie widersprechen einander.",
    list: "Die Dateien",
    state: {
      holds: "hält stand",
      holds_so_far: "hält stand, soweit jetzt prüfbar",
      does_not_hold: "hält nicht stand",
      unreadable: "nicht lesbar",
    },
    kinds: {
      receipt: "Beleg",
      report: "ergänzter Beleg",
      proof: "Nachweis",
      bundle: "Belege eines Gesprächs",
      seal: "veröffentlichte Wurzel",
      request: "Anfrage",
      certificates: "Zertifikat",
      cose_receipt: "COSE-Receipt",
      log_policy: "Schlüssel der Liste oder Richtlinie",
      policy_layer: "Textliste",
      history: "Verlauf der Kette",
      fork: "Beweis, dass eine Liste zwei Verläufe signiert hat",
    },
    used: "gehört zu dem, was geprüft wurde",
    stray: {
      request: "gehört zu keinem der Belege hier",
      certificates: "nicht das Zertifikat hinter diesen Zeitstempeln",
      seal: "kein Beleg hier führt zu dieser Wurzel",
      cose_receipt: "von einer anderen Liste, oder von einer anderen Stelle darin, als die Belege hier",
      log_policy: "er nennt eine andere Liste als die hinter diesen Belegen",
      policy_layer: "eine andere als die, die die Belege hier nennen",
      history: "von anderen Ketten als die Belege hier",
    },
    strayMore: "Das spricht nicht gegen die Belege.",
    notBelieved:
      "nicht verwendet, denn es lag in einem Ordner: Wer ihn angelegt hat, hat es ausgesucht. Wenn Sie ihm vertrauen, fügen Sie die Datei selbst hinzu",
    unused: "noch nichts hier, wozu es gehört",
    together: "Zusammen geprüft",
    inAll: "Insgesamt",
    pages: (id, first, last, names) =>
      `Gespräch ${id}: Die Hinweise ${first} bis ${last} folgen lückenlos aufeinander (${names}).`,
  },

  summary: {
    heading: "Was hier ist und was nicht",
    counts: (receipts, conversations, chains, all) =>
      `${count(receipts, "Beleg", "Belege")} aus ${count(conversations, "Gespräch", "Gesprächen")} in ${count(chains, "Kette", "Ketten")}, in ${files(all)}.`,
    turns: ({ from, to }) =>
      to === null
        ? `alle Hinweise ab Nummer ${from}`
        : from === to
          ? `Hinweis ${from}`
          : `die Hinweise ${from} bis ${to}`,
    missing: (turns, last, name) =>
      `Nicht unter diesen Dateien: ${turns} eines Gesprächs mit ${count(last, "Hinweis", "Hinweisen")} oder mehr (${name}).`,
    moreMissing: (more) =>
      `Von ${count(more, "weiteren Gespräch", "weiteren Gesprächen")} sind nicht alle Belege hier.`,
    chain: (chain, receipts, first, last) =>
      `Kette ${chain}: ${count(receipts, "Beleg", "Belege")}, ${first === last ? `Nummer ${first}` : `Nummern ${first} bis ${last}`}`,
    gaps: (numbers) =>
      numbers === null ? "dazwischen fehlt keine." : `dazwischen sind nicht hier: ${numbers}.`,
    notOfHistory: (size, numbers) =>
      `${numbers === null ? "keine fehlt" : `nicht hier sind: ${numbers}`}; der Verlauf hat ${count(size, "Beleg", "Belege")}.`,
    moreChains: (more) => `und ${count(more, "weitere Kette", "weitere Ketten")}`,
  },

  fork: {
    signed: (origin) => `Die Liste ${origin} hat zwei Verläufe signiert, die einander widersprechen.`,
    tree: (size, root) => `${count(size, "Eintrag", "Einträge")} mit der Wurzel ${root}`,
    keep: "Beide Signaturen gelten unter dem angegebenen Schlüssel, und keine Liste, die nur wächst, hat beide Bäume. Diese Datei beweist also jedem, der den Schlüssel hat, dass die Liste nicht für alle dieselbe ist. Bewahren Sie sie auf, und geben Sie sie weiter.",
  },

  tenant: {
    label: "Wessen Verlauf ist es? Der Fingerabdruck des Mandanten",
    hint: "Er kann in einem Vertrag oder auf einer Rechnung stehen. Mit ihm muss der Verlauf der dieses Mandanten sein und die Kette des Belegs eine der seinen. Bleibt das Feld leer, darf er von jedem sein.",
    button: "Prüfen",
    malformed:
      "Ein Fingerabdruck ist sha256: mit 64 Hexadezimalziffern in Kleinbuchstaben. Mit diesem wurde nichts geprüft.",
  },

  companions: {
    request: (names) => `Die hinzugefügte Anfrage (${names}) gehört nicht zu diesem Beleg.`,
    requestMore:
      "Über den Beleg sagt das nichts: Vielleicht ist es die Anfrage zu einem anderen Gespräch. Fügen Sie die hinzu, die zu diesem Beleg gesendet wurde.",
    certificate:
      "Das hinzugefügte Zertifikat ist nicht das hinter diesem Zeitstempel; damit geprüft bleibt der Zeitstempel offen.",
    log: "Der hinzugefügte Schlüssel oder die Richtlinie nennt eine andere Liste als die hinter diesem Beleg.",
    logMore:
      "Über den Beleg sagt das nichts: Er stammt von einem anderen Dienst, oder die Liste heißt anders. Fügen Sie den Schlüssel der richtigen Liste hinzu.",
    cose: (names) => `Das hinzugefügte COSE-Receipt (${names}) wurde nicht geprüft.`,
    coseMore:
      "Es gilt einer anderen Liste, oder einer anderen Stelle darin, als dieser Beleg und sagt deshalb nichts über ihn. Fügen Sie den Beleg hinzu, zu dem es gehört.",
    layer: (names) => `Die hinzugefügte Textliste (${names}) ist nicht die, die dieser Beleg nennt.`,
    layerMore:
      "Über den Beleg sagt das nichts: Es ist eine andere Fassung, oder die eines anderen Kunden. Fügen Sie die hinzu, deren Hashwert der Beleg nennt.",
    certificateMore: (authority) =>
      `Über den Beleg sagt das nichts. ${authority === null ? "" : `Der Zeitstempel nennt ${authority}. `}Fügen Sie das Zertifikat dieses Zeitstempeldienstes hinzu, oder beginnen Sie ohne Zertifikat von vorn.`,
  },

  file: {
    heading: "Was geprüft wurde",
    size: (count) => `${count} Byte`,
    digest: "SHA-256",
    checkedAt: "Geprüft",
    where: "in diesem Browser",
  },

  problems: {
    heading: (name) => `„${name}“ ließ sich nicht lesen.`,
    brokenHeading: (name) => `„${name}“ hält der technischen Prüfung nicht stand.`,
    empty: "Die Datei ist leer.",
    too_large: "Die Datei ist größer als jeder Beleg und jedes Gespräch. Sie wurde nicht geöffnet.",
    too_many:
      "Zusammen mit den anderen ist das mehr, als die Seite auf einmal prüft. Sie wurde nicht geöffnet.",
    not_json:
      "Das ist kein gültiges JSON, oder es ist so geschrieben, dass zwei Programme es verschieden lesen könnten.",
    not_text:
      "Das ist keine Textdatei, sondern zum Beispiel ein Bild oder ein Archiv. Belege sind JSON-Dateien.",
    pdf: "Das ist ein PDF. Ein Prüfblatt ist ein Ausdruck des Ergebnisses; prüfen lassen sich die Dateien, die es nennt.",
    part_too_large:
      "Ein Feld oder eine Liste in dieser Datei ist weit länger als in jedem Beleg. Sie wurde nicht untersucht.",
    refusal: "Das ist kein Beleg: Der Dienst hat den Aufruf abgelehnt, und das ist seine Antwort.",
    unknown:
      "Das ist weder ein Beleg noch ein ergänzter Beleg, die Belege eines Gesprächs oder eine veröffentlichte Wurzel.",
    two_kinds:
      "Das ließe sich als zweierlei lesen, und jedes Programm könnte etwas anderes darin sehen. Es wurde nicht untersucht.",
    fork: "Das ist kein Beleg, sondern der Nachweis, dass eine Liste zwei Verläufe signiert hat. Fügen Sie den Schlüssel der Liste hinzu, um ihn zu bestätigen.",
    two_policies:
      "Es wurde mehr als ein Schlüssel einer Liste oder eine Richtlinie angegeben. Geben Sie nur die an, die gemeint ist.",
    two_roots:
      "Unter dieser Nummer wurden zwei verschiedene Wurzeln angegeben. Geben Sie die veröffentlichte an.",
    malformed:
      "Das sieht aus wie ein Beleg oder Nachweis, aber ein Teil ist so beschädigt, dass er sich nicht lesen lässt:",
    certificates: "Dieses Zertifikat ließ sich nicht lesen.",
    folder_too_large:
      "Dieser Ordner hat mehr als 10.000 Dateien, oder sein Verlauf hat mehr als 64 MiB. Die Kommandozeile nimmt ihn.",
    no_evidence:
      "In diesem Ordner ist weder der Verlauf einer Kette noch eine Datei, deren Name auf .json, .tlog-proof, .cose, .pem oder .policy endet.",
    two_histories: "In diesem Ordner ist mehr als ein Verlauf. Fügen Sie den hinzu, den Sie meinen.",
    history_broken: "Dieser Verlauf widerspricht sich selbst, daher wurde kein Beleg mit ihm verglichen:",
    history_malformed:
      "Dieser Verlauf ist beschädigt oder unvollständig, daher wurde kein Beleg mit ihm verglichen:",
    gone: "Sie war nicht zu bekommen: Sie wurde verschoben oder geändert, seit sie ausgewählt wurde, oder der Host, der sie hat, antwortet nicht oder hat sie nicht mehr.",
    too_slow: "Die Prüfung dauerte zu lange und wurde abgebrochen.",
    failed: "Beim Prüfen ist etwas fehlgeschlagen, daher lässt sich über diese Datei nichts sagen.",
  },
};
