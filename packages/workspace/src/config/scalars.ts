import { z } from 'zod';

/** Seconds, up to a day. */
export const seconds = z.number().positive().max(86_400);

/** Name of an environment variable. */
export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');

/** Address of a server, over http or https. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });
