export {
  escapeOutgoingLine,
  escapeOutgoingMessage,
  escapeOutgoingText,
  toCodeSpan,
} from './escape-outgoing.ts';
export {
  createOutgoingGate,
  createSecretFilters,
  listPlaces,
  type OutgoingGate,
  type OutgoingGateOptions,
  type Place,
  type Redact,
  type SecretFilters,
} from './outgoing-gate.ts';
export type { OutgoingMarkdownOptions } from './outgoing-markdown.ts';
export { type Patch, toPatch } from './parse-patch.ts';
export type { FindPushedSecrets } from './patch-scanner.ts';
export { type AllowedSecrets, fingerprintOf, type PushedSecret } from './scan-patch.ts';
