export { type AppCredentialOptions, createAppCredential } from './app-credential.ts';
export {
  type Credential,
  createStaticCredential,
  type IssuedToken,
  type OnToken,
  type TokenOptions,
} from './credential.ts';
export { createFileCredential, type FileCredentialOptions } from './file-credential.ts';
