import { z } from 'zod';

/** `http.page` */
export const pageSchema = z.strictObject({
  /** False for no page: `/` says then where the rest is. */
  enabled: z.boolean().default(true),
  /** Language of whoever chose none; `auto` is that of the browser. */
  locale: z.enum(['auto', 'en', 'ja']).default('auto'),
  /** Address under which people see the page, behind a proxy with TLS. Null: that of the request. */
  public_origin: z
    .url({ protocol: /^https?$/ })
    .refine((url) => new URL(url).pathname === '/', 'must be an origin, such as https://agents.example.org')
    .nullable()
    .default(null),
  /** Reverse proxy that logs people in, and names them in a header. Null: nobody is let in by a header. */
  proxy: z
    .strictObject({
      header: z.string().regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header'),
      trusted_addresses: z.array(z.union([z.ipv4(), z.ipv6()])).min(1),
    })
    .nullable()
    .default(null),
  /** Hours until a login is over. */
  session_hours: z.number().min(0.1).max(720).default(12),
});

/** Settings of the page, with their defaults. */
export type PageSettings = z.infer<typeof pageSchema>;
