export type { AdapterArguments, AdapterPlatform, AdapterThread } from './adapter-platform.ts';
export { customPlatformShape } from './custom-platform-shape.ts';
export {
  guardAdapter,
  type LoadCustomPlatformOptions,
  loadCustomPlatform,
} from './load-custom-platform.ts';
export { rememberReported } from './remember-reported.ts';
export { listMissingRoles, type OptionalRole } from './to-platform.ts';
export type { WithTimeLimitOptions } from './with-time-limit.ts';
