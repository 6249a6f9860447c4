import { parseArgs } from 'node:util';
import { installAgent, installOpencode, realAgents } from '@agent/simulators/real-agents';
import fc from 'fast-check';
import { anyTrial, type Judgement, playBare, playKills } from './agent-kills.ts';
import { anyRealAgentTrial, playRealBare, playRealKills } from './real-agent-kills.ts';

const help = `npm run test:agents -- [kills] [--opencode kills] [--codex kills] [--claude kills] [--gemini kills] [--seed n] [--only n]

Has agents of the Agent Client Protocol work on runs while people say things, and kills the agents and the runs that drive them,
that many times (default 40) over a scripted agent in a process of its own, and over the real opencode, Codex, Claude Code and Gemini CLI (default 0
each; fetched from npm where missing, with a model on loopback). Each comment has to stand in exactly one message of the user of the agent's conversation in the end. A bare adapter, which takes
the agent's word for it, plays the same courses as control: over the scripted agent it has to lose something. --only: the course of this number.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    opencode: { type: 'string', default: '0' },
    codex: { type: 'string', default: '0' },
    claude: { type: 'string', default: '0' },
    gemini: { type: 'string', default: '0' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const wanted = {
  scripted: Number(positionals[0] ?? 40),
  opencode: Number(values.opencode),
  codex: Number(values.codex),
  claude: Number(values.claude),
  gemini: Number(values.gemini),
};
const seed = Number(values.seed);
if (![...Object.values(wanted), seed].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error(help);
  process.exit(2);
}

interface Series<Trial> {
  readonly name: string;
  readonly kills: number;
  readonly trials: fc.Arbitrary<Trial>;
  readonly play: (trial: Trial) => Promise<Judgement>;
  readonly playControl: (trial: Trial) => Promise<Judgement>;
}

interface Tally {
  kills: number;
  lost: number;
  twice: number;
}

/** Plays courses until enough was killed. @returns what became of the comments, with the runs and with the control */
async function playSeries<Trial>({ name, kills, trials, play, playControl }: Series<Trial>) {
  const sum = { courses: 0, comments: 0, broken: 0 };
  const late: number[] = [];
  const ours: Tally = { kills: 0, lost: 0, twice: 0 };
  const bare: Tally = { kills: 0, lost: 0, twice: 0 };
  // A course has a kill at least, unless it ends before.
  const courses = fc.sample(trials, { numRuns: 2 * kills, seed });
  for (const [index, trial] of courses.entries()) {
    if (ours.kills >= kills) break;
    if (values.only !== undefined && Number(values.only) !== index) continue;
    const judged = await play(trial);
    count(bare, await playControl(trial));
    count(ours, judged);
    sum.courses += 1;
    sum.comments += judged.counts.length;
    late.push(...(judged.late ?? []));
    if (judged.status === 'completed' && judged.counts.every((times) => times === 1)) continue;
    sum.broken += 1;
    console.log(`${name} ${index} BROKEN: ${JSON.stringify({ judged, trial })}`);
  }
  if (kills === 0) return { broken: 0, ours, bare };
  const lateness = late.length === 0 ? '' : ` ${Math.max(...late)} requests late at most,`;
  console.log(
    `${name}: ${ours.kills} kills in ${sum.courses} courses with ${sum.comments} comments;${lateness} ${ours.lost} lost, ${ours.twice} twice, ${sum.broken} broken; ` +
      `a bare adapter, over ${bare.kills} kills: ${bare.lost} lost, ${bare.twice} twice (--seed ${seed})`,
  );
  return { broken: sum.broken, ours, bare };
}

function count(tally: Tally, { counts, kills }: Judgement): void {
  tally.kills += kills;
  tally.lost += counts.filter((times) => times === 0).length;
  tally.twice += counts.filter((times) => times > 1).length;
}

const isProcess = true;
const tell = console.log;
const scripted = await playSeries({
  name: 'scripted agent',
  kills: wanted.scripted,
  trials: anyTrial,
  play: (trial) => playKills(trial, { isProcess }),
  playControl: (trial) => playBare(trial, { isProcess }),
});
let broken = scripted.broken;
for (const agent of Object.values(realAgents)) {
  const kills = wanted[agent.name];
  if (kills === 0) continue;
  const program =
    agent.name === 'opencode'
      ? await installOpencode(process.env, { tell })
      : await installAgent(agent, { tell });
  const played = await playSeries({
    name: `${agent.name} ${agent.package.version}`,
    kills,
    trials: anyRealAgentTrial,
    play: (trial) => playRealKills({ agent, program }, trial),
    playControl: (trial) => playRealBare({ agent, program }, trial),
  });
  broken += played.broken;
}
const isBlind = values.only === undefined && wanted.scripted >= 40 && scripted.bare.lost === 0;
if (isBlind) console.log('The control lost nothing: these courses cannot show what they are for.');
process.exit(broken > 0 || isBlind ? 1 : 0);
