// The texts and digests that receipt cores have in common: by them, their stored form is short (leaf-codec.ts). A version
// never changes, for what was stored with it is read with it. The next version may know new wordings and layers.
import { utf8 } from "../../evidence/core/bytes.ts";

export interface LeafDictionary {
  /** Parts of cores as the codec writes them. The most frequent stand last, where zlib needs the fewest bits for them. */
  readonly text: Uint8Array;
  /** Digests of many cores; what each one is of does not matter. */
  readonly digests: readonly string[];
}

const TEXT_1 = [
  '["layer_in_development","method_not_for_modality","method_reported","method_unknown","wording_for_other_method"',
  '["wording_for_other_modality","wording_not_yet_approved"],"wording_retired"],"verdict":"BLOCK"',
  "-handoff-from-human-1-handoff-to-human-1-handoff-ai-en-1-announcement-1-introduction-simple-1-clarify-1-resumed-1-repeat-1",
  '"disclosure_method":"written_handoff","disclosure_method":"written_answer","disclosure_method":"written_reminder",',
  '"disclosure_method":"reported_after_call","disclosure_method":"spoken_announcement","disclosure_method":"spoken_handoff","disclosure_method":"spoken_answer",',
  "de-walkthrough-label-1de-walkthrough-introduction-en-1de-chat-answer-1de-chat-notice-en-2de-chat-label-3",
  "de-voice-introduction-2de-voice-in-introduction-du-1de-voice-keystep-1de-voice-answer-1de-voice-handoff-from-human-1",
  '"disclosure_method":"visual_label","jurisdiction":"DE","modality":"walkthrough",',
  '"disclosed_at":"202","disclosure_method":"written_notice","jurisdiction":"DE","modality":"chat",',
  '"findings":["wording_unknown"],"jurisdiction":"DE","version":"2026-11-23.1","wording_id":null},"verdict":"MODIFY",',
  '"version":"2026-11-23.1","wording_id":"de-voice-reminder-3"},"previous_turn_hash":null,"recorded_after":null,"shard":0,"turn":1,',
  '{"disclosure":{"article_50_clause":"1","disclosure_method":"spoken_reminder","disclosure_method":"spoken_introduction",',
  '"jurisdiction":"DE","modality":"voice","subject_hash":"\u0002"},"input_hash":"\u0002",',
  '"policy":{"digest":"\u0001!","findings":[],"jurisdiction":"DE","version":"2026-11-23.1","wording_id":"de-voice-in-introduction-1"},',
  '"previous_hash":"\u0002","previous_turn_hash":"\u0002","receipt_format_version":"1.0",',
  '"recorded_after":{"seal_hash":"\u0002","seal_index":0},"shard":0,"turn":2,"verdict":"ALLOW","verifiability":"verifiable"}',
].join("");

/** These are the first receipt's `previous_hash`, the digest of the German layer of 23 November 2026, and those of its wordings. */
const DIGESTS_1 = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "e0a657c987377572734d7fae41d07542bfc5a2c3d999c478ff6246cc34a7b517",
  "cdf1a1bfb74414312dc8952df1dc4c180d454e0d19cc9267c100eb696eb71709",
  "3149d17bfdec61813d462082b18c533b13d8acb623464e417dea11ab59ce65fc",
  "65112448a7e50353103fa128617fb865e7eeb77cf5e524dfd32a3d119e0adfe2",
  "4e3cdb792127db42e69e74101d9a0f632b5d15c8ed5108bc7f915a9f8cfd4992",
  "a60d76c73ecf359a896aff280fd60700373ef51f8413e6442106a800216154b2",
  "6ae56209de7c4ae19c6f5e738dbf64f84e90b01869e9a8fd740eadf232b00e77",
  "aa164134227edc62508c4833b7bcc35e6d8617bf014d51b20e06a2773dc90ad1",
  "333fb9bdbaf4a82d3504850f600e7519dea721f6546c23031f08700a89a44c9e",
  "e86db6cc8829dc58ce0ecf4d65e4bbeec12748dfa1cae01294a1e67dfa8998d5",
  "208726485563920e3c48d85e61718a73900bcc31da59b2f7682b72ab2c12ebcd",
  "2c62cd708a63e0d39266ee1b2539a8b1a6f6d8f8abe6e9708a8eeca4f628cb43",
  "4a316565ae857529d0e20be1f69acf396743840480f9c68e4d3ab90b447d33fe",
  "1a4cfb00206485751cdb3d6e3661e181c906b50f37c8572f012260a039d367fe",
  "85771845a46344202f56c27800463bcf60c20ea3d3493f3ffa11bb553a99ba07",
  "d6402dbb4a0ac13424d723b7c670806999bb72735a667ae7766898f0f4dca36f",
  "7f88444c52c18c7e509b9a092707fe732cc9cc5ddaeabcfa58656df291c3d253",
  "537cae31da69a5102bb13dedfe7ea016711a9a15e9eb1dee0c7b16959d66fd71",
  "af022e4c0c3cb7e4cafb59b831c409c3c0e8752446b3ac27dc5fc7a9c5e50f67",
  "6dd2b480088c159cc0df5ce434ab172379e60be1fb5e22cae5c973491d923ec0",
  "1f6403f649dbcfca0ca57e8140698447c76b6f3e25ea75e5ae27860a2293b129",
  "a44ee0ce8ebe797b6a64cd2f672fb45e40d6731badcc0a465e426179cc796d98",
  "d6a410e96f2a0b0186bfa6a591f1db1af111ef0b54ae51d440299829358589d7",
  "3b132573cfbe0529d8c52767170c8a8e7a561a5717bb317012c679bf9d833acc",
  "47416e09ae62d14bfff7a290a45c7d2ea3d4e2074f4641d897a58718d15f4577",
  "ff5d7bdab647436a002c83ef4f695c5d6fe0ad32002c4663bb19b8cda7cd1bd4",
  "eb2894b16217a2294c2309f89a6e8125e39ad3f87b0d453580ee7d2070f7631c",
  "27d94a24fe60d6d4ea7ef7535d47e50de1510ad20e9db6d386a4a8260f1553d8",
  "d61fca774552ab4796a3b761842442a5d710bf092d09e257c8ea5448fafb2b32",
  "32632ed50d780078bf8b1513aec322ae4c1a4529973ad36ed9a3818e4589bd3e",
  "3e920928d0691e6916f11b11c11d1c247eed57f326f6a283c30074063aada135",
  "9ba28d97f90920f51ef6cfecdd8ecdb6e3ef2f7f869d3f287dfdc447c5502ea1",
  "ea6433ac9868fd63fcfe7a709cc86615a05ae0717be9b37277947d43a1e5e029",
  "6c8d644fc2908f3c312caffec1fb137887a705aa46c1590836f090adc3855a34",
  "ccd9a2ac68321f997a9fe67c3b0608ea28ff4a4c9502f9fb428ca69ebee37988",
  "e36d5ba0c518a0b52e73b1b8756146c5b6e3b0b07e4bd69a66dcf2c3a04fb0b6",
  "917a51aaaf3c11774170ae2f7a9e8204200a9ee679392adcb06ca51d4d3386b0",
  "b996f200b41e24a3f027d0aac79b98351bfe1c93874adaeffe8686df8965bf46",
  "ee09030a0d244560e0f3107c7bf072230e1d84712a2ecdd846b5fa80d71b36dc",
  "609a604101eee9709b18cfe9de8f94d1246eb2125f4891d6050357e6c1a760cb",
  "a34b97f83f81ac968e4e255e17b847a57fd9e9633857e978bdb5d1f5245a4cc7",
  "5be163c6132c05d0bd4b468b8281bdba9d8a61624baf4d1866cd8ebc192981b8",
  "ac26cd7bf780b95553ee3693524dc211008d8943290ff461a6489173ac6faa20",
  "b0370475b2aa55a6dc2a14c133af9a051183e5a388e01b18734960df8b9b7c35",
  "5439908ddc0236a51bd6b3f626e7ceee1a8ad3a09674f34f33410f2a5852347b",
  "f1a756e66c9cd2c77b0cfcea5aaadeb8123d3f89beb55fb8d3f28437c3cd5634",
  "06d46e61c6ca30d45d2be19dda7e4ab3a1460be10feafa7b5ea2e397e391affa",
  "f486ff0615509e55a97f1f09d0b92a481cedee184f94cd16fae56d92ae2afaf0",
  "925dd7666e11d957d4023bc83374eeb61f436f58db99a35dfc34202099e926f2",
  "ace4c11fa54a86b70e1a248fda9994a1f0b5dcbb5c3cd9b8af4299f6e6b37265",
  "10a125167f58ba8e70ab58b9bec6ec630e80e2479d8a32a3b917887bf9017652",
  "f3b40cd54079f7efbcd78b2bbf014c8e578a18a7aa5b2b2f2f4fc1ba3a278f38",
  "d57e3701834b52a36f48ad59f78e2ccd696140f2dde20c1475d23071ad553de5",
  "f52caf990388d5539dbdfb3395430fa08c68811d1afba71893b7d832b1853c1e",
  "960f6ca46843c440a35d907d8b30fef74ca761681ecac5078577047e91ac8413",
  "d1a7aace2d692c8c789476c46eb8b0a68eba0fa5be2b549352c43976f30311e3",
  "a8f3102820ab69018e49f8da98ef1088865dc3af63f08c57d3fab1c3ca0cc964",
  "1122b25f3cdd49738ebacbcb7f48a394d697e3d086aa4d58eae3b901c6e1ca6f",
  "2e7c9f76d8eee538544d782303d0b166c5a6548b919698fa613409904ebcea9e",
  "72ffe0e8ac9f77bc6a5b49146fe6c85f1f03a37d0e2cbf8245e9d194d228bd04",
  "019b1a5f67238b5020167f5e43ebd12bfc5852aa774bb013d6f29ecda5d4c4e0",
  "90ef8a9cd12c0182cce05c4e33c980adaa1fa2d288bbdfa32191850453459d23",
  "946ffb3295b06aa70379981d73d2379f217f7f6cc6d1b9ffca78e52506ba8933",
  "d4e9c94440ba35ec097fc9b6392bacebdbe0887fb5712b4991e25860e9cdba09",
  "9d9908266056f898eaeaae19e7a17fca7011fd7b157adc9989ed5852fb8721e9",
  "2be70738645d3db6883643a231ad396af65c259db06ddd9eb7ae5e7385f0dce8",
  "0b482319544b33979ee8fd6473439807ba927c151c0aba0cbb3400b89f5a043e",
  "74f16ff2f97603860fca02f043e12e0cf82b947cca8fc68b24782c1484898d80",
  "cc4770d317afa66eceb6018fd1ad0866e3894ceb02044bc11090cf612ac54b6f",
  "006487307a2d5014c56f74b46f4b326ce0d3ec600d391bc0b194355443d8a100",
  "0be8f636631506c8c9af387aed6c2735907603dee61010066316935ffc16c667",
  "4a50b77fbf2452c8925b0e43d96ba6bdf36510e732d5674ab0c14e74b8055a88",
  "fa86af4699825ffdc9cb14d88665746c3bcbe64f9332fae00757e1b1d041b4a1",
];

/** By the version that is stored with what was written with it. */
export const DICTIONARIES: Readonly<Record<number, LeafDictionary>> = {
  1: { text: utf8(TEXT_1), digests: DIGESTS_1.map((hex) => `sha256:${hex}`) },
};
/** The one to write with. */
export const NEWEST_VERSION = 1;
