export { type AllowedSecrets, fingerprintOf } from './allowed-secrets.ts';
export { toCodeSpan } from './code-span.ts';
export { disarmLine, disarmText } from './disarm-text.ts';
export { listPlaces, type Place } from './hide-places.ts';
export {
  createOutgoingGate,
  type OutgoingGate,
  type OutgoingGateOptions,
} from './outgoing-gate.ts';
export { type Patch, toPatch } from './parse-patch.ts';
export type { FindPushedSecrets } from './patch-scanner.ts';
export type { PushedSecret } from './scan-patch.ts';
export { createSecretFilters, type Redact, type SecretFilters } from './secret-filters.ts';
