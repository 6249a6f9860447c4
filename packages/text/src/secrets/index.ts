export { findCertainSecrets, findSecretForms, findSecrets } from './find-secrets.ts';
export { type FoundSecret, placeholder, replaceSecrets } from './found-secret.ts';
export { createKnownSecrets, isHideable, type KnownSecrets } from './known-secrets.ts';
export { scanSecrets } from './scan-secrets.ts';
