import type { Hono } from 'hono';
import { createPage, type PageEnv, type PageOptions } from '../../src/index.ts';
import { createFakeWorld, type FakeWorld, TOKEN } from './fake-world.ts';

/** Browser without scripts that talks to a page in this process. */
export interface Client {
  readonly world: FakeWorld;
  readonly page: Hono<PageEnv>;
  readonly get: (path: string, options?: RequestOptions) => Promise<Response>;
  readonly text: (path: string, options?: RequestOptions) => Promise<string>;
  readonly post: (
    path: string,
    fields: Record<string, string>,
    options?: RequestOptions,
  ) => Promise<Response>;
  readonly logIn: (token?: string) => Promise<Response>;
  readonly cookies: Map<string, string>;
}

/** Parts of a request that a test changes. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly address?: string;
}

/** Creates one on loopback. */
export function createClient({
  tasks = 40,
  origin = 'http://localhost',
  ...options
}: Partial<PageOptions> & { tasks?: number; origin?: string } = {}): Client {
  const world = createFakeWorld({ tasks });
  const { reader, health, changes, actions, logins, audit } = world;
  const page = createPage({ reader, health, changes, actions, logins, audit, ...options });
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit & { address?: string }): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (!headers.has('host')) headers.set('host', new URL(origin).host);
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const request = new Request(`${origin}${path}`, { ...init, headers });
    const env = { incoming: { socket: { remoteAddress: init.address ?? '127.0.0.1' } } };
    const response = await page.fetch(request, env);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0/.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const get: Client['get'] = (path, { method = 'GET', headers = {}, address = '127.0.0.1' } = {}) =>
    send(path, { method, headers, address });
  const post: Client['post'] = (path, fields, { headers = {}, address = '127.0.0.1' } = {}) =>
    send(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...headers },
      address,
    });
  const text: Client['text'] = async (path, request) => (await get(path, request)).text();
  return {
    world,
    page,
    get,
    post,
    text,
    cookies,
    logIn: async (token = TOKEN) => post('/login', { token, csrf: fieldOf(await text('/login'), 'csrf') }),
  };
}

/** Value of a hidden field in the last form of a page that has it. */
export function fieldOf(html: string, name: string): string {
  return [...html.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].at(-1)?.[1] ?? '';
}
