export type { HeldRequest } from '../shared/held-request.ts';
export type { LmRequest, LmScript, LmStudio, LmStudioOptions } from './lm-studio.ts';
export type { LmMisbehavior, ResponseMisbehavior } from './misbehavior.ts';
export { startLmStudio } from './start-lm-studio.ts';
