import { isTimeZone } from '@agent/text';
import { z } from 'zod';

/** An IANA name; `local` is read as that of the process. */
export const timeZone = z
  .string()
  .transform((name) => (name === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : name))
  .refine(isTimeZone, 'must be the name of a time zone such as Asia/Tokyo, or local');
