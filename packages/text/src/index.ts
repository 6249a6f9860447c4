export { type CleanedText, type CleanOptions, cleanUntrustedText } from './clean/clean-untrusted-text.ts';
export type { Span } from './clean/edits.ts';
export { type CodeSpan, findChatCode } from './clean/find-chat-code.ts';
export type { Removal } from './clean/removal-log.ts';
export { removeHidden } from './clean/remove-hidden.ts';
export { type ShownText, showHiddenCharacters } from './clean/show-hidden-characters.ts';
export { cleanName } from './clean-name.ts';
export { type Command, type ParsedCommands, parseCommands } from './commands/parse-commands.ts';
export { cutAtGrapheme, findGraphemeCut } from './cut-at-grapheme.ts';
export { estimateTokens, type TokenCounter } from './estimate-tokens.ts';
export { findFences } from './find-fences.ts';
export { type FitTextOptions, fitText, truncationMark } from './fit-text.ts';
export { detectLocale, type Locale, type LocaleOptions, localeOf, processLocale } from './locale.ts';
export type { Logger } from './logger.ts';
export { stripEscapes } from './strip-escapes.ts';
export { TextError, type TextErrorCode } from './text-error.ts';
export {
  type EnvelopeOptions,
  formatEnvelopeInstruction,
  type ToolEnvelopeOptions,
  wrapToolOutput,
  wrapUntrustedText,
} from './wrap-untrusted-text.ts';
