export type { ReadingWay } from './find-candidates.ts';
export {
  isNothing,
  isRecord,
  type JsonRecord,
  lenientConfidence,
  lenientText,
  lenientTexts,
  parseJson,
  parseLooseBoolean,
  toConfidence,
  toList,
  toRecord,
  toText,
  toTexts,
} from './lenient.ts';
export { isPlaceholder, withoutPlaceholders } from './placeholders.ts';
export { type JsonReading, readJsonAnswer } from './read-json-answer.ts';
