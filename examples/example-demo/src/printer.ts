import { stripVTControlCharacters, styleText } from 'node:util';
import type { ForgeName } from '@agent/simulators/demo';
import { wrapLine } from '@agent/simulators/demo/parts';

export type Speaker = 'daemon' | 'model' | 'mika' | 'ci' | ForgeName | DiscordSpeaker;

/** `log`: the bot's log; `suzume`: the bot in Discord; `stage`: what the demonstration does to both servers. */
type DiscordSpeaker = 'alice' | 'bob' | 'suzume' | 'log' | 'stage';

/** Writes the demonstration's output. Control sequences in its input are removed. */
export interface Printer {
  readonly heading: (text: string) => void;
  /** A smaller heading. */
  readonly part: (text: string) => void;
  readonly line: (text?: string) => void;
  /** Each line of the text, set in from the left. */
  readonly block: (text: string) => void;
  /** A line of the timeline: seconds since the start, who, what. */
  readonly event: (who: Speaker, what: string) => void;
  /** The same, printed only with `--verbose`. */
  readonly detail: (who: Speaker, what: string) => void;
  readonly diff: (text: string) => void;
  readonly verdict: (promise: string, kept: boolean) => void;
}

export interface PrinterOptions {
  readonly write: (text: string) => void;
  readonly color: boolean;
  /** Prints details. */
  readonly verbose: boolean;
  /** Milliseconds since the start. */
  readonly elapsedMs: () => number;
}

type Style = Parameters<typeof styleText>[0];

const speakerStyle = {
  daemon: 'blue',
  model: 'yellow',
  mika: 'green',
  ci: 'cyan',
  github: 'magenta',
  gitlab: 'magenta',
  alice: 'green',
  bob: 'green',
  suzume: 'magenta',
  log: 'blue',
  stage: 'cyan',
} as const;

/** Characters in a line of the timeline after who speaks: all of it fits where a terminal has 115. */
const eventWidth = 96;

export function createPrinter({ write, color, verbose, elapsedMs }: PrinterOptions): Printer {
  const paint = (style: Style, text: string) =>
    color && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  const line = (text = '') => write(`${text}\n`);
  const event: Printer['event'] = (who, what) => {
    const seconds = `${(elapsedMs() / 1000).toFixed(1).padStart(6)} s`;
    const [first = '', ...others] = wrapLine(clean(what), eventWidth);
    line(`${paint('gray', seconds)}  ${paint(speakerStyle[who], who.padEnd(6))}  ${first}`);
    for (const other of others) line(`${' '.repeat(18)}${other}`);
  };
  return {
    line,
    event,
    detail: verbose ? event : () => {},
    heading: (text) =>
      line(`\n${paint(['bold', 'cyan'], `── ${text} ${'─'.repeat(Math.max(0, 76 - text.length))}`)}`),
    part: (text) => line(`\n  ${paint('bold', clean(text))}`),
    block: (text) => {
      for (const part of linesOf(text)) line(part === '' ? '' : `  ${part}`);
    },
    diff: (text) => {
      for (const part of linesOf(text)) line(`  ${paint(diffStyle(part), part)}`);
    },
    verdict: (promise, kept) => line(`  ${kept ? paint('green', '✔') : paint('red', '✘')} ${promise}`),
  };
}

function diffStyle(line: string): Style {
  if (/^(\+\+\+|---|diff|index)/.test(line)) return 'bold';
  if (line.startsWith('@@')) return 'cyan';
  if (line.startsWith('+')) return 'green';
  return line.startsWith('-') ? 'red' : 'reset';
}

function clean(text: string): string {
  return linesOf(text).join(' ');
}

function linesOf(text: string): string[] {
  return stripVTControlCharacters(text).split(/\r?\n|\r/);
}
