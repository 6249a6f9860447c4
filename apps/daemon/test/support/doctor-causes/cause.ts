import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { editConfig } from '../edit-config.ts';
import type { World } from '../world.ts';

/** One fault: how to make it, and what `doctor` has to say about it. */
export interface Cause {
  readonly area: string;
  /** Makes the fault; returns variables of the process. */
  readonly make: (at: World) => Promise<Readonly<Record<string, string>>>;
  readonly text: RegExp;
  readonly fix: RegExp;
  readonly url?: RegExp;
}

/** Serves HTTP on loopback until the test ends; returns the base URL. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers every request alike. */
export const answerWith =
  (status: number, type: string, body: string): RequestListener =>
  (_, answer) =>
    void answer.writeHead(status, { 'content-type': type }).end(body);

/** Answers with a web page. */
export const page = answerWith(200, 'text/html', '<!doctype html><title>Login</title>');

/** Changes the configuration, and sets no variable. */
export const edited = async (at: World, changes: Readonly<Record<string, unknown>>) => {
  await editConfig(at.configFile, changes);
  return {};
};

/** Writes the .env, and sets no variable. */
export const inEnvFile = async (at: World, text: string) => {
  await writeFile(join(at.directory, '.env'), text);
  return {};
};
