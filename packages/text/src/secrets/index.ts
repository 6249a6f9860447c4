export { type CutOptions, cutWithoutSecrets, longestSecret } from './cut-without-secrets.ts';
export { findCertainSecrets, findSecretForms, findSecrets, scanSecrets } from './find-secrets.ts';
export { type FoundSecret, placeholder, replaceSecrets } from './found-secret.ts';
export { createKnownSecrets, isHideable, type KnownSecrets } from './known-secrets.ts';
export {
  createIssuedSecrets,
  type IssuedSecrets,
  type IssuedSecretsOptions,
  listSecretValues,
  type SecretValues,
} from './secret-values.ts';
