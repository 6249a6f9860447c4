import { toRecord } from '@agent/text/json';

/** Parts of names of models that cannot chat. A short part stands between signs that are no letters. */
const others: readonly RegExp[] = [
  // They embed and rerank.
  /embed|re-?rank|minilm|mpnet|roberta|paraphrase|text2vec|colbert|splade|cross-encoder|sentence-|labse|voyage-/i,
  /(?:^|[^a-z])(?:bge|gte|e5|m3e|bce|uae|stella|instructor|distiluse|text-(?:similarity|search)[a-z-]{0,20})(?![a-z])/i,
  // They judge.
  /moderation|guard|shieldgemma|content-safety/i,
  // They listen and speak.
  /whisper|transcri|parakeet|canary|wav2vec|paraformer|sensevoice|cosyvoice|kokoro|orpheus|speech|realtime/i,
  /(?:^|[^a-z])(?:asr|stt|[a-z]{0,6}tts|piper|bark|chatterbox|sonic|audio|deepgram)(?![a-z])/i,
  // They draw, film and compose.
  /stable-?diffusion|dall-?e|dreamshaper|imagen|cogv(?:iew|ideo)|hidream|kolors|musicgen/i,
  /(?:^|[^a-z])(?:image|flux|sdxl|sd\d?|stable-image|wanx?|t2[iv]|i2v|sora|veo|lyria|canvas|reel)(?![a-z])/i,
  // They see, translate, or complete a text only.
  /siglip|resnet|m2m100|bart-large|distilbert|babbage|davinci|turbo-instruct/i,
  /(?:^|[^a-z])(?:[a-z]{0,4}ocr|[a-z]{0,2}clip|detr|aqa)(?![a-z])/i,
];

/** Tells by its name whether a model can probably chat. Lists of model servers contain all models that are installed. */
export function isChatModel(name: string): boolean {
  return !others.some((part) => part.test(name));
}

/** Entry of a list of models. */
export interface ListedModel {
  readonly name: string;
  /** False if its name or its entry shows that it cannot chat. */
  readonly isChat: boolean;
}

/** Fields under which servers put their list, and the name of a model in it. */
const listFields = ['data', 'models', 'result', 'model_names'] as const;
const nameFields = ['id', 'name', 'model', 'key', 'model_name'] as const;

/** Reads a list of models as any server writes it; null for anything else. Entries without a name are left out. */
export function readModelList(value: unknown): readonly ListedModel[] | null {
  const record = toRecord(value);
  const list = Array.isArray(value) ? value : listFields.map((field) => record?.[field]).find(Array.isArray);
  return list === undefined ? null : list.flatMap((entry: unknown) => toListed(entry));
}

function toListed(entry: unknown): readonly ListedModel[] {
  if (typeof entry === 'string') return entry === '' ? [] : [{ name: entry, isChat: isChatModel(entry) }];
  const record = toRecord(entry);
  const name = nameFields.map((field) => record?.[field]).find(isName);
  if (record === null || name === undefined) return [];
  return [{ name, isChat: isChatModel(name) && canChat(record) }];
}

/** An address of a catalog is no name that requests can use. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/^\w+:\/\//.test(value);
}

const chatKinds = /chat|text-generation|text generation|-to-text|llm|vlm|language|completion|generate/i;
const otherKinds =
  /embed|rank|image|audio|speech|transcri|tts|asr|voice|moderation|video|classif|translat|similarity|extraction|detection/i;

/** Tells whether an entry leaves open that its model can chat: servers name its kind, its modalities, or its endpoints. */
function canChat(entry: Readonly<Record<string, unknown>>): boolean {
  if (entry.active === false || entry.supports_chat === false) return false;
  const { type, task, pipeline_tag: tag, mode, architecture, capabilities } = entry;
  const kinds = [type, toRecord(task)?.name ?? task, tag, mode].filter((kind) => typeof kind === 'string');
  if (kinds.some((kind) => otherKinds.test(kind) && !chatKinds.test(kind))) return false;
  if (toRecord(capabilities)?.completion_chat === false) return false;
  const outputs = toRecord(architecture)?.output_modalities ?? entry.output_modalities;
  if (Array.isArray(outputs) && outputs.length > 0 && !outputs.includes('text')) return false;
  const uses = [capabilities, entry.endpoints, entry.supportedGenerationMethods].filter(Array.isArray).flat();
  const named = uses.filter((use) => typeof use === 'string');
  return !(named.some((use) => otherKinds.test(use)) && !named.some((use) => chatKinds.test(use)));
}
