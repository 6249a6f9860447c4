import { z } from 'zod';

/** Ids come as numbers and as strings. */
export const payloadId = z.union([z.number(), z.string().min(1)]).transform(String);

/** The number of a thread. */
export const payloadNumber = z
  .union([z.number(), z.string().regex(/^\d+$/)])
  .transform(Number)
  .pipe(z.number().int().positive());
