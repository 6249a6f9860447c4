import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings, readEnvironment, readInstructions } from './parse-settings.ts';

const texts = { wrongSettings: 'Wrong:', tokenMissing: 'Get a token.' };
const least = { DISCORD_TOKEN: 'a.b.c' };

describe('parseSettings', () => {
  it('needs a token and nothing else; the rest has the defaults of the seed [TC-30, TC-31, TC-32, TC-33, TC-34, TC-40, TC-41]', () => {
    expect(parseSettings(least, texts)).toMatchInlineSnapshot(`
      {
        "CATCH_UP_MINUTES": 60,
        "DEBUG_ASSISTANT": false,
        "DISCORD_API_URL": "https://discord.com/api",
        "DISCORD_TOKEN": "a.b.c",
        "DISPLAY_NAME": false,
        "HISTORY_CACHE": "off",
        "LM_BASE_URL": "http://localhost:1234/v1",
        "LM_TIMEOUT_SECONDS": 30,
        "LOCALE": "auto",
        "LOG_FORMAT": "auto",
        "MAX_ANSWER_CHARS": 20000,
        "MAX_CONCURRENT_ANSWERS": 4,
        "MAX_THREAD_MESSAGES": 200,
        "MAX_TRANSCRIPT_CHARS": 20000,
        "MAX_WAITING_PER_THREAD": 10,
        "PIN_STARTER": false,
        "SHUTDOWN_SECONDS": 10,
        "STABLE_PREFIX": false,
        "STREAM": false,
        "THREAD_ARCHIVE_MINUTES": 1440,
      }
    `);
    expect(() => parseSettings({}, texts)).toThrow('Wrong:\n  - Get a token.');
  });

  it('takes an empty variable for none [TC-32]', () => {
    expect(parseSettings({ ...least, LM_MODEL: ' ', STREAM: '' }, texts)).toMatchObject({ STREAM: false });
  });

  it('reads what is given [TC-40, TC-41, D13]', () => {
    const given = {
      ...least,
      LM_BASE_URL: 'http://192.168.0.2:1234/v1',
      LM_MODEL: 'qwen',
      DEBUG_ASSISTANT: 'true',
      MAX_THREAD_MESSAGES: '50',
      THREAD_ARCHIVE_MINUTES: '60',
      HISTORY_CACHE: 'gateway',
      FALLBACK_TIMEOUT: 'ごめん',
      SOMETHING_ELSE: 'ignored',
    };
    expect(parseSettings(given, texts)).toMatchObject({
      LM_BASE_URL: 'http://192.168.0.2:1234/v1',
      LM_MODEL: 'qwen',
      DEBUG_ASSISTANT: true,
      MAX_THREAD_MESSAGES: 50,
      THREAD_ARCHIVE_MINUTES: 60,
      HISTORY_CACHE: 'gateway',
      FALLBACK_TIMEOUT: 'ごめん',
    });
  });

  it('says of each mistake what it has to be, and never what it was [TC-42]', () => {
    const wrong = {
      ...least,
      LM_BASE_URL: 'localhost:1234',
      MAX_THREAD_MESSAGES: '0',
      STREAM: 'maybe',
      HISTORY_CACHE: 'on',
      THREAD_ARCHIVE_MINUTES: '5',
    };
    const parse = (): unknown => {
      try {
        return parseSettings(wrong, texts);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(parse()).toMatchInlineSnapshot(`
      "Wrong:
        - LM_BASE_URL: must be a URL such as http://localhost:1234/v1
        - MAX_THREAD_MESSAGES: must be a whole number from 1 to 10000
        - HISTORY_CACHE: must be one of off, gateway
        - STREAM: must be true or false
        - THREAD_ARCHIVE_MINUTES: must be one of 60, 1440, 4320, 10080"
    `);
  });
});

describe('the bounds of the bot', () => {
  it('are read from numbers and ids [NX-65, NX-66]', () => {
    const given = {
      ...least,
      LM_TEMPERATURE: '0.7',
      LM_MAX_TOKENS: '500',
      ALLOWED_SERVERS: '123456789012345678, 223456789012345678',
      ALLOWED_ROLES: '323456789012345678',
    };
    expect(parseSettings(given, texts)).toMatchObject({
      LM_TEMPERATURE: 0.7,
      LM_MAX_TOKENS: 500,
      ALLOWED_SERVERS: ['123456789012345678', '223456789012345678'],
      ALLOWED_ROLES: ['323456789012345678'],
    });
  });

  it.each([
    ['LM_TEMPERATURE', '2.5', 'must be a number from 0 to 2'],
    ['LM_MAX_TOKENS', '-1', 'must be a whole number from 1 to'],
    ['MAX_ANSWER_CHARS', '10', 'must be a whole number from 100 to'],
    ['ALLOWED_SERVERS', 'my-server', 'must be IDs of 17 to 20 digits'],
    ['ALLOWED_PEOPLE', ',', 'must be IDs of 17 to 20 digits'],
    ['INSTRUCTIONS_FILE', 'rules.md', 'must not be set together with INSTRUCTIONS'],
  ])('are refused with what to write: %s [NX-65, NX-66]', (name, value, reason) => {
    const given = { ...least, INSTRUCTIONS: 'Be brief.', [name]: value };
    expect(() => parseSettings(given, texts)).toThrow(`${name}: ${reason}`);
  });

  it('let instructions stand in a file, which must be there and say something [NX-66]', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'agent-discord-'));
    const path = join(directory, 'rules.md');
    const read = () => readInstructions(parseSettings({ ...least, INSTRUCTIONS_FILE: path }, texts));
    await expect(read()).rejects.toThrow(`INSTRUCTIONS_FILE: cannot read ${path} (ENOENT)`);
    await writeFile(path, ' \n');
    await expect(read()).rejects.toThrow('is empty');
    await writeFile(path, 'Be brief.\n');
    expect(await read()).toMatchObject({ INSTRUCTIONS: 'Be brief.' });
    await rm(directory, { recursive: true });
  });
});

describe('readEnvironment', () => {
  it('reads a file under the environment of the process, and misses one only when it was named [TC-25, TC-30]', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'agent-discord-'));
    const path = join(directory, '.env');
    await writeFile(path, 'DISCORD_TOKEN="from file"\nLM_MODEL=from-file # which\nLM_API_KEY=key\n');
    expect(
      await readEnvironment({ path, isNamed: true }, { LM_MODEL: 'from-process', LM_API_KEY: '' }),
    ).toEqual({
      environment: { DISCORD_TOKEN: 'from file', LM_MODEL: 'from-process', LM_API_KEY: 'key' },
      problems: [],
    });
    await rm(directory, { recursive: true });
    expect(await readEnvironment({ path, isNamed: false }, least)).toEqual({
      environment: least,
      problems: [],
    });
    await expect(readEnvironment({ path, isNamed: true }, least)).rejects.toMatchObject({ code: 'settings' });
  });

  it('reads a file for each secret of CREDENTIALS_DIRECTORY under the environment of the process [NX-424]', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'agent-discord-'));
    await writeFile(join(directory, 'DISCORD_TOKEN'), 'from credential\n');
    const given = { CREDENTIALS_DIRECTORY: directory };
    const none = { path: join(directory, '.env'), isNamed: false };
    expect((await readEnvironment(none, given)).environment.DISCORD_TOKEN).toBe('from credential');
    await rm(directory, { recursive: true });
    await expect(readEnvironment(none, given)).rejects.toMatchObject({ code: 'settings' });
  });

  it('reads the files of Windows editors, reports lines that it cannot use, and refuses other encodings', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'agent-discord-'));
    const path = join(directory, '.env');
    const read = async (bytes: Buffer) => {
      await writeFile(path, bytes);
      return readEnvironment({ path, isNamed: false }, {});
    };
    const text = '\ufeffDISCORD_TOKEN=a#b\r\nLM_MODEL m\r\n';
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
    ])
      expect(await read(bytes)).toEqual({
        environment: { DISCORD_TOKEN: 'a' },
        problems: [
          { line: 1, kind: 'cut-value', name: 'DISCORD_TOKEN' },
          { line: 2, kind: 'no-equals', name: null },
        ],
      });
    await expect(read(Buffer.from('A=1\nB=\xe9\n', 'latin1'))).rejects.toThrow(
      /\.env, line 2: .*neither UTF-8 nor UTF-16/,
    );
    await rm(directory, { recursive: true });
  });
});
