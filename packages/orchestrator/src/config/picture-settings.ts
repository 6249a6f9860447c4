import { z } from 'zod';

/** `pictures`: pictures in issues and comments that the model is shown. */
export const picturesSchema = z.strictObject({
  /** True for a model that takes pictures: no model says so by itself. */
  enabled: z.boolean().default(false),
  /** People whose pictures are fetched: those who may steer, or everyone. */
  from: z.enum(['trusted', 'everyone']).default('trusted'),
  /** Pictures of one run. */
  max_count: z.number().int().min(1).max(50).default(8),
  /** Bytes of one picture. */
  max_bytes: z.number().int().min(1_024).max(20_000_000).default(3_000_000),
  /** Width times height of one picture. */
  max_pixels: z.number().int().min(1_024).max(100_000_000).default(16_000_000),
});

/** Settings of pictures. */
export type PictureSettings = z.infer<typeof picturesSchema>;
