export { type AllowedSecrets, fingerprintOf } from './allowed-secrets.ts';
export { toCodeSpan } from './code-span.ts';
export { disarmLine, disarmText } from './disarm-text.ts';
export { listPlaces, type Place } from './hide-places.ts';
export {
  createOutgoingGate,
  type OutgoingGate,
  type OutgoingGateOptions,
  type PushedSecret,
} from './outgoing-gate.ts';
