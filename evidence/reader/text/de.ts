// Die Wörter der Seite auf Deutsch. docs/verifier.md nennt die Wörter, die sie vermeidet.
import { checksDe } from "./checks-de.ts";
import { filesDe } from "./de-files.ts";
import { paperDe } from "./de-paper.ts";
import { proofDe } from "./de-proof.ts";
import type { en } from "./en.ts";
import { openDe } from "./open-de.ts";

/** "Hinweis 2", "Hinweise 2 bis 4". */
const noticesFrom = (first: number, last: number): string =>
  first === last ? `Hinweis ${first}` : `den Hinweisen ${first} bis ${last}`;

export const de: typeof en = {
  locale: "de-DE",
  wordmark: "Disclosure Receipts",
  title: "Belegprüfung",
  languageLabel: "Sprache",

  privacy: {
    summary: "Nichts, was Sie hier öffnen, verlässt dieses Gerät.",
    served: (origin) =>
      `Das erzwingt der Browser selbst: Die Seite darf sich mit ${origin} verbinden und mit nichts anderem. Sie fragt dort nach veröffentlichten Wurzeln mit deren Zeitstempeln und Signaturen, per Nummer, nach der Textliste, die ein Beleg nennt, per Hashwert, und nach dem Zertifikat des Zeitstempeldienstes; über einen Link der Konsole geöffnet, auch nach dem Beleg, den der Link nennt. Sie sendet keine Inhalte, keine Cookies und keinen Beleg.`,
    saved:
      "Sie haben eine gespeicherte Kopie dieser Seite geöffnet: Sie verbindet sich mit gar nichts. Mit den veröffentlichten Wurzeln kann sie erst vergleichen, wenn Sie diese als Dateien hinzufügen.",
    save: "Um ganz sicherzugehen, speichern Sie diese Seite, trennen Sie die Verbindung und öffnen Sie die gespeicherte Datei.",
    policy: "Die Regel, die Ihr Browser durchsetzt",
  },

  verdict: {
    holds: {
      receipt: "Dieser Beleg hält der technischen Prüfung stand.",
      bundle: "Die Belege dieses Gesprächs halten der technischen Prüfung stand.",
      turns: (first, last) =>
        first === last
          ? `Der Beleg zu Hinweis ${first} dieses Gesprächs hält der technischen Prüfung stand.`
          : `Die Belege zu ${noticesFrom(first, last)} dieses Gesprächs halten der technischen Prüfung stand.`,
      proof: "Dieser Nachweis hält der technischen Prüfung stand.",
      seal: "Diese veröffentlichte Wurzel hält der technischen Prüfung stand.",
    },
    holds_so_far: {
      receipt: "Dieser Beleg hält stand, soweit er sich jetzt prüfen lässt.",
      bundle: "Die Belege dieses Gesprächs halten stand, soweit sie sich jetzt prüfen lassen.",
      turns: (first, last) =>
        first === last
          ? `Der Beleg zu Hinweis ${first} dieses Gesprächs hält stand, soweit er sich jetzt prüfen lässt.`
          : `Die Belege zu ${noticesFrom(first, last)} dieses Gesprächs halten stand, soweit sie sich jetzt prüfen lassen.`,
      proof: "Dieser Nachweis hält stand, soweit er sich jetzt prüfen lässt.",
      seal: "Diese veröffentlichte Wurzel hält stand, soweit sie sich jetzt prüfen lässt.",
    },
    does_not_hold: {
      receipt: "Dieser Beleg hält der technischen Prüfung nicht stand.",
      bundle: "Die Belege dieses Gesprächs halten der technischen Prüfung nicht stand.",
      turns: (first, last) =>
        first === last
          ? `Der Beleg zu Hinweis ${first} dieses Gesprächs hält der technischen Prüfung nicht stand.`
          : `Die Belege zu ${noticesFrom(first, last)} dieses Gesprächs halten der technischen Prüfung nicht stand.`,
      proof: "Dieser Nachweis hält der technischen Prüfung nicht stand.",
      seal: "Diese veröffentlichte Wurzel hält der technischen Prüfung nicht stand.",
    },
    reason: {
      receipt:
        "Er ist seit dem Eintrag unverändert, die öffentliche Liste umfasst ihn, und ein Zeitstempeldienst hat bestätigt, dass er spätestens zum unten genannten Zeitpunkt vorlag.",
      bundle:
        "Sie sind unverändert und folgen lückenlos aufeinander. Die öffentliche Liste umfasst sie, und ein Zeitstempeldienst hat bestätigt, dass sie spätestens zu den unten genannten Zeitpunkten vorlagen.",
      proof:
        "Er führt zur öffentlichen Liste, und ein Zeitstempeldienst hat bestätigt, dass das, wofür er steht, spätestens zum unten genannten Zeitpunkt vorlag.",
      seal: "Sie enthält alles, was die vorige Wurzel enthielt, wenn es eine gab, und ein Zeitstempeldienst hat sie digital signiert.",
    },
    notAgainstHistory: (sentence, endsAt) =>
      `${sentence.replace(/\.$/, "")}, aber nicht am Verlauf, den Sie angegeben haben: ${endsAt === null ? "Er ist der anderer Ketten" : `Was von ihm und vom Protokoll vorliegt, endet bei Eintrag ${endsAt}`}.`,
    openReason: "Nichts widerspricht. Noch offen:",
    failedReason: (failed, made) =>
      failed === 1
        ? `Eine von ${made} Prüfungen ist fehlgeschlagen:`
        : `${failed} von ${made} Prüfungen sind fehlgeschlagen:`,
    more: (count) => `und ${count} weitere, unten aufgeführt`,
    proofOnly: "Es ist ein Nachweis ohne seinen Beleg, er zeigt also nicht, welcher Hinweis eingetragen ist.",
    legal: "Ob der Hinweis rechtlich genügt, wurde nicht geprüft.",
    remarks: (count, all) =>
      all === 1
        ? "Der Dienst hat den Hinweis mit Anmerkungen eingetragen, siehe unten."
        : `Der Dienst hat ${count} von ${all} Hinweisen mit Anmerkungen eingetragen:`,
    notAll: "Das ist nicht das ganze Gespräch.",
    missing: (before, from) => {
      const ranges = [
        ...(before === null ? [] : [before === 1 ? "Hinweis 1" : `Hinweis 1 bis ${before}`]),
        ...(from === null ? [] : [`alles ab Hinweis ${from}`]),
      ];
      return `Es fehlt: ${ranges.join(" und ")}. Fügen Sie die fehlende Datei hinzu, dann wird beides zusammen geprüft.`;
    },
    inTurn: (turn) => `Hinweis ${turn}`,
    inRoot: (index) => `Wurzel Nr. ${index}`,
    weakAnchor:
      "Der Zeitstempel wurde mit dem Zertifikat geprüft, das dieser Dienst selbst nennt. Das hat geringere Aussagekraft: Es zeigt, dass der Dienst mit sich selbst übereinstimmt. Soll das Ergebnis nicht vom Dienst abhängen, beziehen Sie das Zertifikat vom Zeitstempeldienst und fügen es hinzu.",
    ownFiles: (names) =>
      `So geglaubt, wie Sie es hinzugefügt haben: ${names}. Das Ergebnis ist so viel wert wie die Stelle, von der Sie es haben. Soll es nicht von der Stelle abhängen, von der Sie den Beleg haben, beziehen Sie ein Zertifikat vom Zeitstempeldienst und eine veröffentlichte Wurzel vom Host des Dienstes oder von einem Spiegel.`,
    print: "Drucken",
  },

  facts: {
    heading: "Welcher Hinweis eingetragen ist",
    claimed: "Was im Beleg steht",
    claimedNote: "Der Beleg hält der technischen Prüfung nicht stand, also ist nichts davon belegt.",
    claimedRoot: "Die Wurzel hält der Prüfung nicht stand; was folgt, steht nur so in der Datei.",
    untimedNote: "Sein Zeitstempel hält der Prüfung nicht stand, also ist keine Zeit belegt.",
    brokenWhole:
      "Als Ganzes halten sie der Prüfung nicht stand. Was sich zu jedem Hinweis zeigen lässt, ist unten aufgeführt.",
    limit:
      "Ein Beleg zeigt, was eingetragen wurde. Dass der Hinweis gegeben wurde und dass ihn jemand gehört oder gelesen hat, zeigt er nicht: Das sagt allein, wer ihn eingetragen hat. Er enthält keine Aufnahme des Gesprächs.",
    lastTurn:
      "Dass in diesem Gespräch kein späterer Hinweis folgte, sagt allein die Datei; keine Prüfung zeigt es.",
    conversation: "Das Gespräch",
    when: "Eingetragen",
    ownClock: "nach der eigenen Uhr des Dienstes",
    lateProof: (delay) =>
      `Das sagt allein die Uhr des Dienstes: Die früheste belegte Zeit liegt ${delay} später.`,
    delay: (hours) => {
      if (hours < 48) return `${hours} ${hours === 1 ? "Stunde" : "Stunden"}`;
      return `${Math.floor(hours / 24)} Tage`;
    },
    bracket: {
      between: (from, by, until, untilBy) =>
        `Eingetragen zwischen ${from}, bestätigt von ${by}, und ${until}, bestätigt von ${untilBy}.`,
      after: (from, by) => `Eingetragen nach ${from}, bestätigt von ${by}.`,
      noLower:
        "Es ist keine Zeit belegt, nach der eingetragen wurde: Nur die Uhr des Dienstes sagt, dass der Beleg nicht älter ist.",
      left: "Die Zeit, die der Dienst angibt, liegt außerhalb davon.",
      wide: (width) =>
        `Dazwischen liegen ${width}. Innerhalb davon gilt für die Zeit allein das Wort des Dienstes.`,
    },
    log: {
      signed: (origin, size) =>
        `Die Liste ${origin} hat diese Wurzel mit ${size === 1 ? "ihrem einen Eintrag" : `ihren ${size} Einträgen`} digital signiert.`,
      signedLater: (origin, size) =>
        `Die Liste ${origin} hat eine spätere Wurzel mit ihren ${size} Einträgen digital signiert, die alles enthält, was diese enthält.`,
      cosigned: (witness, at) => `${witness} am ${at}`,
      cosignatures: (words) =>
        `Zeugen bestätigen mit ihrer digitalen Signatur, dass sie bis dahin keine andere Fassung der Liste gesehen hatten: ${words}.`,
      liars: (least) =>
        least === 0
          ? "Das Quorum Ihrer Vorgabe schließt eine zweite Liste nicht aus: zwei Fassungen können es haben, ohne dass ein Zeuge lügt."
          : `Für eine zweite Fassung mit dem Quorum Ihrer Vorgabe ${least === 1 ? "muss mindestens ein Zeuge" : `müssen mindestens ${least} Zeugen`} gelogen haben.`,
    },
    stated: { disclosed_at: "Hinweis gegeben" },
    callersWord: "wie der aufrufende Dienst angibt",
    proven: "Lag vor spätestens am",
    provenAll: (at, authority) =>
      `Alle lagen vor spätestens am ${at}; die letzte Bestätigung ist die des Zeitstempeldienstes ${authority}.`,
    provenSome: (count, all) =>
      `Für ${count} von ${all} bestätigt ein Zeitstempeldienst, wann sie spätestens vorlagen; für die übrigen ist keine Zeit belegt.`,
    unproven: "Keine Zeit ist belegt.",
    wide: (seconds) =>
      `der Dienst gibt seine Zeit nur auf ${seconds} s genau an, was hier hinzugerechnet ist`,
    signed: (authority) => `bestätigt von ${authority}`,
    signedOnce: (authority, until) => `bestätigt von ${authority}; dieses Zertifikat lief am ${until} ab`,
    language: "Sprache",
    method: "Art des Hinweises",
    place: "Nummer des Hinweises",
    turn: (turn) => `Hinweis ${turn} in diesem Gespräch`,
    jurisdiction: "Bezug",
    law: (clause, country) =>
      `Art. 50 Abs. ${clause} der Verordnung (EU) 2024/1689 · Textliste für ${country}`,
    assessment: "Einstufung durch den Dienst",
    rules: (jurisdiction, version) => `nach den Regeln des Dienstes für ${jurisdiction}, Fassung ${version}`,
    recomputed:
      "hier aus der Textliste, die der Beleg nennt, neu berechnet: Wortlaut, Anmerkungen und Einstufung sind dieselben",
    recomputedAll: (count, all) =>
      `Bei ${count} von ${all} wurde die Einstufung hier neu berechnet: Sie ist dieselbe.`,
    wording: "Wortlaut",
    quote: (text) => `„${text}“`,
    wordingName: "Kennung des Wortlauts",
    ownWording: (approvedBy) =>
      `Ein eigener Wortlaut eines Kunden des Dienstes, nach dessen Angabe freigegeben von: ${approvedBy}. Die Textliste enthält nur seinen Hashwert.`,
    filled: (id) => `Nach seiner Angabe ist er der Wortlaut ${id} mit ausgefüllter Lücke:`,
    unknownWording:
      "Der Beleg nennt den Wortlaut nur als Hashwert; der Text gehört nicht zu denen, die dieses Programm kennt.",
    compare: "Mit einem Text vergleichen",
    compareLabel: "Der Text des Hinweises, Wort für Wort",
    compareButton: "Vergleichen",
    isText: "Das ist der Text, dessen Hashwert eingetragen ist.",
    isFilled: (id) =>
      `Das ist der Text des Wortlauts ${id} mit ausgefüllter Lücke. Der Beleg nennt den Wortlaut mit der Lücke, und so soll es sein: Der Hashwert enthält keinen Namen.`,
    isNotText:
      "Das ist nicht der Text, dessen Hashwert eingetragen ist. Jedes Zeichen zählt, auch Groß- und Kleinschreibung, Leerzeichen und Satzzeichen.",
    notCompared: "Der Text wurde nicht verglichen: Hier ist kein Beleg, der standhält.",
    interaction: "Gespräch",
    receipts: "Belege",
    period: "Zeitraum",
    to: (from, until) => `${from} bis ${until}`,
    erased: "gelöscht oder entfernt",
    erasedBy: (at: string, role: string, ground: string) =>
      `Die Kennungen dieses Gesprächs wurden am ${at} gelöscht, durch: ${role} (${ground}). Das ist die Angabe des Betreibers; keine Prüfung beruht darauf.`,
    grounds: {
      request: "eine Person hat es verlangt",
      order: "eine Behörde oder ein Gericht hat es angeordnet",
      mistake: "sie hätten nie gesendet werden dürfen",
    },
    agent: "Kennung des KI-Systems",
  },

  terms: {
    ALLOW: "Wortlaut steht in der Liste des Dienstes",
    MODIFY: "Eingetragen, mit Anmerkungen",
    BLOCK: "Eingetragen, aber dieser Wortlaut war aus der Liste genommen",
    voice: "Telefon- oder Sprachgespräch",
    chat: "Chat",
    walkthrough: "Vorführung mit künstlicher Stimme",
    spoken_introduction: "Gesprochene Einleitung",
    spoken_announcement: "Gesprochene Ansage",
    spoken_reminder: "Gesprochene Erinnerung",
    spoken_handoff: "Gesprochener Hinweis bei Wechsel des Sprechers",
    spoken_answer: "Gesprochene Antwort",
    written_notice: "Schriftlicher Hinweis",
    written_reminder: "Schriftliche Erinnerung",
    written_handoff: "Schriftlicher Hinweis bei Wechsel des Schreibenden",
    written_answer: "Schriftliche Antwort",
    visual_label: "Sichtbare Kennzeichnung",
    reported_after_call: "Nach dem Gespräch von der Sprachplattform gemeldet",
    method_unknown: "diese Art des Hinweises steht nicht auf der Liste",
    method_not_for_modality: "diese Art des Hinweises passt nicht zu dieser Art von Gespräch",
    method_reported: "dass der Hinweis gegeben wurde, ist erst nach dem Gespräch gemeldet worden",
    layer_in_development: "die Liste für dieses Land ist noch in Arbeit",
    wording_unknown: "der Wortlaut steht nicht in der Liste des Dienstes",
    wording_for_other_modality: "der Wortlaut ist für eine andere Art von Gespräch vorgesehen",
    wording_for_other_method: "der Wortlaut ist für eine andere Art des Hinweises vorgesehen",
    wording_not_yet_approved: "der Wortlaut stand an diesem Tag noch nicht in der Liste",
    wording_retired: "der Wortlaut war an diesem Tag bereits aus der Liste genommen",
  },

  ...filesDe,
  ...proofDe,
  ...paperDe,
  open: openDe,

  footer:
    "Geprüft wird allein von dieser Seite, in Ihrem Browser. Sie ist quelloffen (Apache License 2.0): Den Quelltext bekommen Sie von der Stelle, die diesen Dienst betreibt.",
  checkTexts: checksDe,
};
