export { formatRunFile, type RunFileOptions } from './format-run-file.ts';
export type { SettingsReload } from './ports.ts';
export type { ProxyLogin } from './server/access.ts';
export type { PageEnv } from './server/admission.ts';
export { createPage, type PageOptions } from './server/create-page.ts';
