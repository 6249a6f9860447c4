import { z } from 'zod';

const headerName = z.string().regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header');

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
  /** Reverse proxy that logs users in, and names them in a header. Null: no user is let in by a header. */
  proxy: z
    .strictObject({
      header: headerName,
      /** Variable of the daemon's environment with the secret that the proxy sends in `secret_header`. */
      secret_env: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
        .nullable()
        .default(null),
      secret_header: headerName.default('X-Agent-Proxy-Secret'),
      /** Unix socket on which the daemon listens for the proxy alone, relative to the configuration file. */
      socket: z.string().min(1).max(100).nullable().default(null),
      /** Addresses and ranges (CIDR) of the proxy, in addition to the secret. Empty: any. */
      trusted_addresses: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).default([]),
    })
    .refine(({ secret_env, socket }) => secret_env !== null || socket !== null, {
      error:
        'needs secret_env (a secret that the proxy sends in secret_header) or socket: every program of a machine has its address, so an address proves nothing',
    })
    .nullable()
    .default(null),
  /** Hours until a login is over. */
  session_hours: z.number().min(0.1).max(720).default(12),
});

/** Settings of the page, with their defaults. */
export type PageSettings = z.infer<typeof pageSchema>;
