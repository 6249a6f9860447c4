export {
  type Credential,
  createStaticCredential,
  type IssuedToken,
  type OnToken,
  type TokenOptions,
  toGitToken,
} from '../http/credential.ts';
export { type AppCredentialOptions, createAppCredential } from './app-credential.ts';
export { type AppManifestOptions, type AppPurpose, formatAppManifest } from './app-needs.ts';
export type { AppRequests } from './app-requests.ts';
export { createFileCredential, type FileCredentialOptions } from './file-credential.ts';
export {
  type CredentialSettings,
  type GitHubAppSettings,
  gitHubAppSchema,
  type OpenCredentialOptions,
  type OpenedCredential,
  openCredential,
  tokenFileShape,
} from './open-credential.ts';
