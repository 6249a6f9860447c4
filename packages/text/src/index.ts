export {
  type CleanedText,
  type CleanOptions,
  cleanName,
  cleanText,
  cleanUntrustedText,
} from './clean/clean-untrusted-text.ts';
export type { Removal, Span } from './clean/edits.ts';
export {
  type CodeSpan,
  findChatCode,
  removeHidden,
  type ShownText,
  showHiddenCharacters,
  stripEscapes,
} from './clean/hidden-characters.ts';
export { fenceOf, toCodeBlock } from './code-fence.ts';
export { type Command, isMentioned, type ParsedCommands, parseCommands } from './commands/parse-commands.ts';
export { type EpisodeLine, ErrorEpisodes } from './error-episodes.ts';
export { estimateTokens, type TokenCounter } from './estimate-tokens.ts';
export { findOtherVersion } from './find-other-version.ts';
export { firstSentence } from './first-sentence.ts';
export {
  cutAtGrapheme,
  type FitTextOptions,
  type Fitted,
  findFences,
  findGraphemeCut,
  fitStart,
  fitText,
  truncationMark,
} from './fit-text.ts';
export { type FormatTimeOptions, formatTime } from './format-time.ts';
export { isGitLabBot } from './gitlab-bots.ts';
export { detectLocale, type Locale, processLocale } from './locale.ts';
export type { Logger } from './logger.ts';
export { mapTexts } from './map-texts.ts';
export {
  findNetworkFailure,
  isCertificateCode,
  isPassingNetworkCode,
  type NetworkFailureKind,
  sortNetworkCode,
} from './network-failure.ts';
export { isProgrammingError } from './programming-error.ts';
export {
  type ReasoningOptions,
  removeReasoning,
  type SplitReasoning,
  splitReasoning,
} from './reasoning/remove-reasoning.ts';
export { formatReviewBody, type ReviewState, readReviewText } from './review/format-review-body.ts';
export { formatSuggestions, type SuggestedLines } from './review/format-suggestions.ts';
export { type LocaleOptions, localeOf } from './thread-locale.ts';
export { isTimeZone } from './time-zone.ts';
export { toErrorMessage } from './to-error-message.ts';
export { createToLine, type ToLine } from './to-line.ts';
export { warnOnce } from './warn-once.ts';
export {
  createEnvelopeCode,
  type EnvelopeOptions,
  formatEnvelopeInstruction,
  removeEnvelopeLines,
  TextError,
  type TextErrorCode,
  type ToolEnvelopeOptions,
  unwrapToolOutput,
  wrapToolOutput,
  wrapUntrustedText,
} from './wrap-untrusted-text.ts';
