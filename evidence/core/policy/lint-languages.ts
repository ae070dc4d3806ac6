// Languages, as far as the lint knows them: the words by which a text names an artificial intelligence, denies that it is one, and
// denies that a human being is there; and the languages in which the people of a country are addressed.

export interface LanguageWords {
  /** Names an artificial intelligence. */
  readonly namesAi: RegExp;
  /** Says that there is none. */
  readonly deniesAi: RegExp;
  readonly deniesHuman: RegExp;
  /** Abbreviations that a voice says as people say them. */
  readonly spoken: readonly string[];
}

/** By the first part of a language tag. */
export const LANGUAGE_WORDS: Readonly<Record<string, LanguageWords>> = {
  de: {
    namesAi: /künstliche[nr]? Intelligenz|(?<!\p{L})KI(?!\p{L})/iu,
    deniesAi: /(?:keine[rn]?|nicht mit einer|nicht von einer) (?:künstlichen? Intelligenz|KI(?!\p{L}))/iu,
    deniesHuman: /kein(?:en|em)? Mensch|nicht (?:mehr )?(?:mit|von) einem Menschen|nicht menschlich/iu,
    spoken: [],
  },
  en: {
    namesAi: /artificial intelligence|(?<!\p{L})AI(?!\p{L})/iu,
    deniesAi: /(?:not (?:an? |with (?:an )?|by (?:an )?)|no )(?:artificial intelligence|AI(?!\p{L}))/iu,
    deniesHuman: /(?:not|no longer)\b[^.]*\bhuman|\bno (?:human|person)|not (?:a|by a|with a) person/iu,
    spoken: ["AI"],
  },
  fr: {
    namesAi: /intelligence artificielle|(?<!\p{L})IA(?!\p{L})/iu,
    deniesAi: /pas (?:à |avec |par )?(?:une )?(?:intelligence artificielle|IA(?!\p{L}))/iu,
    deniesHuman:
      /(?:pas|plus) (?:à |avec |par )?(?:un (?:être )?humain|une personne)|aucun (?:être )?humain/iu,
    spoken: ["IA"],
  },
  nl: {
    namesAi: /kunstmatige intelligentie|(?<!\p{L})AI(?!\p{L})/iu,
    deniesAi: /(?:geen|niet (?:met|door|van) (?:een )?)\s?(?:kunstmatige intelligentie|AI(?!\p{L}))/iu,
    deniesHuman: /geen mens|niet (?:meer )?(?:met|door|van) een mens/iu,
    spoken: ["AI"],
  },
};

/** The official languages of the countries that have a layer. */
export const OFFICIAL_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  AT: ["de"],
  BE: ["nl", "fr", "de"],
  DE: ["de"],
  NL: ["nl"],
};
