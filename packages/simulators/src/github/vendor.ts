import type { components } from '@octokit/openapi-types';

/**
 * GitHub's own published answer shapes. Used inside the simulator only: what its entry point exports names none
 * of them, so that a consumer needs no package of types.
 */
export type Vendor = components['schemas'];
