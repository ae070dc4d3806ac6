// The texts and digests that receipt cores have in common: by them, their stored form is short (leaf-codec.ts). A version
// never changes, for what was stored with it is read with it. The next version may know new wordings and layers.
import { utf8 } from "../../core/bytes.ts";

export interface LeafDictionary {
  /** Parts of cores as the codec writes them. The most frequent stand last, where zlib needs the fewest bits for them. */
  readonly text: Uint8Array;
  /** Digests of many cores; what each one is of does not matter. */
  readonly digests: readonly string[];
}

const TEXT_1 = [
  '["method_not_for_modality","wording_for_other_method","wording_for_other_modality","wording_not_yet_approved"',
  '["method_unknown","wording_retired"],"verdict":"BLOCK"',
  "de-walkthrough-label-en-1de-walkthrough-introduction-en-1de-chat-label-2de-chat-notice-en-1de-voice-reminder-en-1",
  '"wording_id":"de-voice-introduction-en-1"},"previous_turn_hash":null,"recorded_after":null,"shard":0,"turn":1,',
  '"disclosure_method":"visual_label","disclosure_method":"spoken_reminder","modality":"walkthrough",',
  '"disclosed_at":"202","disclosure_method":"written_notice","jurisdiction":"DE","modality":"chat",',
  '"findings":["wording_unknown"],"jurisdiction":"DE","version":"2026-11-21.1","wording_id":null},"verdict":"MODIFY",',
  '{"disclosure":{"article_50_clause":"1","disclosure_method":"spoken_introduction","jurisdiction":"DE",',
  '"modality":"voice","subject_hash":"\u0002"},"input_hash":"\u0002",',
  '"policy":{"digest":"\u0001!","findings":[],"jurisdiction":"DE","version":"202","wording_id":"de-voice-introduction-1"},',
  '"previous_hash":"\u0002","previous_turn_hash":"\u0002","receipt_format_version":"1.0",',
  '"recorded_after":{"seal_hash":"\u0002","seal_index":0},"shard":0,"turn":2,"verdict":"ALLOW","verifiability":"verifiable"}',
].join("");

/** These are the first receipt's `previous_hash`, the digest of the German layer, and those of its wordings. */
const DIGESTS_1 = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "509c7ac8df213ee041b37f81f6cac380b92bebd122701c2ec2eb41eba1627e51",
  "cdf1a1bfb74414312dc8952df1dc4c180d454e0d19cc9267c100eb696eb71709",
  "3149d17bfdec61813d462082b18c533b13d8acb623464e417dea11ab59ce65fc",
  "65112448a7e50353103fa128617fb865e7eeb77cf5e524dfd32a3d119e0adfe2",
  "a60d76c73ecf359a896aff280fd60700373ef51f8413e6442106a800216154b2",
  "6ae56209de7c4ae19c6f5e738dbf64f84e90b01869e9a8fd740eadf232b00e77",
  "af022e4c0c3cb7e4cafb59b831c409c3c0e8752446b3ac27dc5fc7a9c5e50f67",
  "6dd2b480088c159cc0df5ce434ab172379e60be1fb5e22cae5c973491d923ec0",
  "1f6403f649dbcfca0ca57e8140698447c76b6f3e25ea75e5ae27860a2293b129",
  "ac26cd7bf780b95553ee3693524dc211008d8943290ff461a6489173ac6faa20",
  "b0370475b2aa55a6dc2a14c133af9a051183e5a388e01b18734960df8b9b7c35",
  "f486ff0615509e55a97f1f09d0b92a481cedee184f94cd16fae56d92ae2afaf0",
  "d1a7aace2d692c8c789476c46eb8b0a68eba0fa5be2b549352c43976f30311e3",
  "a8f3102820ab69018e49f8da98ef1088865dc3af63f08c57d3fab1c3ca0cc964",
  "2e7c9f76d8eee538544d782303d0b166c5a6548b919698fa613409904ebcea9e",
  "019b1a5f67238b5020167f5e43ebd12bfc5852aa774bb013d6f29ecda5d4c4e0",
  "90ef8a9cd12c0182cce05c4e33c980adaa1fa2d288bbdfa32191850453459d23",
  "d4e9c94440ba35ec097fc9b6392bacebdbe0887fb5712b4991e25860e9cdba09",
  "4a50b77fbf2452c8925b0e43d96ba6bdf36510e732d5674ab0c14e74b8055a88",
  "fa86af4699825ffdc9cb14d88665746c3bcbe64f9332fae00757e1b1d041b4a1",
];

/** By the version that is stored with what was written with it. */
export const DICTIONARIES: Readonly<Record<number, LeafDictionary>> = {
  1: { text: utf8(TEXT_1), digests: DIGESTS_1.map((hex) => `sha256:${hex}`) },
};
/** The one to write with. */
export const NEWEST_VERSION = 1;
