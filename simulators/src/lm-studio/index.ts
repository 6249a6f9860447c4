export type { HeldRequest } from '../shared/held-request.ts';
export type { LmRequest, LmScript, LmStudio, LmStudioOptions } from './lm-studio.ts';
export type { LmMisbehaviour, ResponseMisbehaviour } from './misbehaviour.ts';
export { startLmStudio } from './start-lm-studio.ts';
