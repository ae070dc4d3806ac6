// The words of the console in German.
import type { ConsoleText } from "./text-en.ts";

export const consoleDe: ConsoleText = {
  locale: "de-DE",
  wordmark: "Disclosure Receipts",
  title: "Konsole",
  languageLabel: "Sprache",
  skip: "Zu den Belegen springen",
  reading: "Wird gelesen …",
  saved:
    "Dies ist eine gespeicherte Kopie, die keine Konsole fragen kann. Starten Sie eine mit: disclosure-receipts admin console",

  heading: (name) => `Konsole von ${name}`,
  parts: "Teile dieser Seite",
  readAt: "Gelesen um",

  gone: "Das Programm der Konsole antwortet nicht. Vielleicht wurde es beendet: Starten Sie es neu, dann geht es auf dieser Seite von selbst weiter.",
  unreachable: (problem) =>
    `Die Installation ist gerade nicht lesbar (${problem}). Der Grund steht im Terminal der Konsole. Was Sie sehen, ist von vorher; es wird weiter versucht.`,

  figures: {
    label: "Zahlen",
    month: "Belege in diesem Monat",
    ofTenants: (tenants) => `allein von ${tenants} Mandanten`,
    seal: "Neuestes Siegel",
    none: "noch keines",
    justNow: "gerade eben",
    waiting: "Noch nicht gesiegelt",
    tenants: "Mandanten",
    chains: (chains) => `Ketten: ${chains}`,
    since: (age) => `der älteste kam ${age}`,
  },

  findings: {
    heading: "Befunde",
    well: "Alles in Ordnung.",
    wellSoFar: "Nichts bedarf der Aufmerksamkeit, soweit es geprüft wurde.",
    attention: (count) =>
      count === "1" ? "Ein Punkt braucht Aufmerksamkeit." : `${count} Punkte brauchen Aufmerksamkeit.`,
    concerns: {
      receipts_wait: "Belege warten zu lange darauf, gesiegelt zu werden.",
      seal_unpublished: "Ein Siegel wartet zu lange auf seine Veröffentlichung.",
      roots_gone: "Veröffentlichte Siegel fehlen unter den öffentlichen Wurzeln.",
      roots_without_token: "Veröffentlichten Wurzeln fehlt ein Zeitstempel.",
      token_does_not_hold: "Ein Zeitstempel hält der Prüfung nicht stand.",
      chains_unreadable: "Ketten sind nicht lesbar. Wo, sagt „admin verify“.",
      chains_unsealable: "Ketten lassen sich nicht siegeln. Warum, sagt „admin verify“.",
      entry_unclaimed:
        "Keine Kette kennt einen Eintrag des Logs, daher wird nichts veröffentlicht. Welchen, sagt „admin status“.",
      checkpoint_does_not_hold: "Der veröffentlichte Kontrollpunkt der Liste hält der Prüfung nicht stand.",
      checkpoint_late: "Ein Siegel wartet zu lange auf seinen Kontrollpunkt.",
      quorum_missing: "Dem neuesten Kontrollpunkt fehlen Signaturen seiner Zeugen.",
      quorum_old: "Dass genug Zeugen den Kontrollpunkt signiert haben, ist mehr als 3 Stunden her.",
      retention_overdue:
        "Belege können älter sein, als ihr Mandant sie aufbewahrt. „admin retention“ lief seit 40 Tagen nicht bis zum Ende.",
    },
    chains: "Betroffene Ketten",
    tokens: "Zeitstempel des neuesten Siegels",
    holds: "hält",
    broken: "hält nicht",
    unchecked: "nicht geprüft",
    until: (day) => `Zertifikat bis ${day}`,
    alarms: "Alarme in CloudWatch",
  },

  receipts: {
    heading: "Belege",
    tenant: "Mandant",
    allTenants: "Alle Mandanten",
    verdict: "Ergebnis",
    allVerdicts: "Alle Ergebnisse",
    verdicts: {
      ALLOW: "Wortlaut steht in der Liste",
      MODIFY: "eingetragen, mit Anmerkungen",
      BLOCK: "Wortlaut war aus der Liste genommen",
    },
    pause: "Anhalten",
    resume: "Weiter",
    live: "Neue Belege erscheinen von selbst.",
    paused: "Angehalten. Neue Belege werden nicht gezeigt.",
    older: "Ältere",
    newer: "Neuere",
    newest: "Neueste",
    pages: "Seiten der Belege",
    away: "Dies sind ältere Belege. Neue erscheinen auf der neuesten Seite.",
    arrived: (count) => (count === "1" ? "Ein neuer Beleg." : `${count} neue Belege.`),
    none: "Noch kein Beleg. Der erste erscheint hier, sobald er eingetragen ist.",
    noneFound: "Zu dieser Auswahl gibt es hier keinen Beleg.",
    removed: (count) => `Nach Ablauf der Aufbewahrung gelöscht und daher nicht gezeigt: ${count}.`,
    damaged: (count) => `Nicht lesbar und daher nicht gezeigt: ${count}. Wo, sagt „admin verify“.`,
    leftOut: (count) =>
      `Ketten, die diese Liste auslässt, weil es zu viele sind: ${count}. Wählen Sie einen Mandanten.`,
    time: "Zeit (UTC)",
    turn: "Stelle",
    place: "Kette · Nr.",
    placeOf: (shard, sequence) => `${shard} · ${sequence}`,
    wording: "Wortlaut",
    unknownWording: "nicht in der Liste",
    evidence: "Beleg",
    open: "Prüfen",
    openLabel: (sequence, tenant) => `Beleg ${sequence} von ${tenant} auf der Prüfseite prüfen`,
  },

  seals: {
    heading: "Siegel",
    lead: "Die neuesten Siegel, das neueste rechts. Jedes veröffentlicht eine Wurzel über die Belege seit dem vorigen. Die Zeiten sind in UTC.",
    none: "Noch kein Siegel. Das erste folgt auf den ersten Beleg.",
    receipts: "Belege",
    tokens: "Zeitstempel",
    cosigned: "Zeugen",
    delay: "Verzug",
    picture: (count, newest) =>
      `Die neuesten ${count} Siegel als Bild, bis Siegel ${newest}. Die Tabelle darunter hat dieselben Zahlen.`,
    asTable: "Die Siegel als Tabelle",
    index: "Siegel",
    time: "Gesiegelt (UTC)",
    delayHead: "Erster Zeitstempel nach",
    seconds: (seconds) => `${seconds} s`,
    unpublished: "noch nicht veröffentlicht",
    lacking: "Zeitstempel fehlen",
    noCheckpoint: "noch kein Kontrollpunkt",
    notAsked: "kein Zeuge wird gefragt",
    legend: "Ein hohles Zeichen steht für etwas, das noch fehlt.",
  },

  tenants: {
    less: (percent) => `weniger als ${percent}`,
    heading: "Mandanten und ihr Verbrauch",
    lead: (month) => `Belege im ${month}, wie das Kontingent sie zählt.`,
    none: "Noch kein Mandant. Legen Sie einen an mit: disclosure-receipts admin tenant create",
    tenant: "Mandant",
    plan: "Tarif",
    use: "Verbrauch des Kontingents",
    of: (receipts, quota, percent) => `${receipts} von ${quota} (${percent})`,
    unlimited: (receipts) => `${receipts}, ohne Grenze`,
    suspended: "gesperrt",
    nearly: "fast verbraucht",
    usedUp: "verbraucht",
    show: (tenant) => `${tenant} zeigen`,
    leftOut: (count) => `Mandanten, die nicht gezeigt werden: ${count}.`,
  },

  days: {
    heading: (tenant) => `${tenant} nach Tagen`,
    picture: (days, most) =>
      `Belege von ${days} Tagen als Linie; höchstens ${most}. Die Tabelle darunter hat dieselben Zahlen.`,
    tooMany: "Dieser Mandant hat zu viele Ketten, um nach Tagen gezählt zu werden.",
    asTable: "Die Tage als Tabelle",
    day: "Tag",
    receipts: "Belege",
  },

  chains: {
    heading: (tenant) => `Ketten von ${tenant}`,
    chain: "Kette",
    size: "Belege",
    sealed: "Davon gesiegelt",
    newest: "Neuester Beleg (UTC)",
    leftOut: (count) => `Ketten, die nicht gezeigt werden: ${count}.`,
  },

  footer:
    "Ein Programm auf diesem Rechner liefert diese Seite, mit Ihren eigenen Zugangsdaten. Sie liest nur und fragt keinen anderen Rechner.",
};
