import type { Service } from '../http/translate-error.ts';
import { findRateLimit } from './rate-limit.ts';

/** GitHub's name, and its rules for refusals. */
export const gitHubService: Service = {
  name: 'GitHub',
  closed: 'the thread or repository is closed to it',
  findRateLimit,
};
