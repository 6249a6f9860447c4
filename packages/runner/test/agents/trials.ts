import { installAgent, installOpencode, type RealAgent, realAgents } from '@agent/simulators/real-agents';
import { type OpenTrials, readChoice, type TrialKind, type TrialVerdict } from '@agent/simulators/trials';
import fc from 'fast-check';
import { anyTrial, type Judgement, playBare, playKills } from './agent-kills.ts';
import { anyRealAgentTrial, playRealBare, playRealKills } from './real-agent-kills.ts';

const agents = Object.values(realAgents).map(({ name }) => name);
const lostByControl = 'comments lost by the bare adapter';
/** Courses after which a control without a loss shows that the courses are too easy. */
const enoughForControl = 40;

/** Kills of agents, and of the runs that they work on, while people comment. */
export const trials: TrialKind<Course> = {
  help: `[--agent ${agents.join('|')}]

Has an agent of the Agent Client Protocol work on N runs while people comment, and kills the agent and the run: a scripted agent in a process
of its own, or --agent, a real one (fetched from npm where missing, with a model on loopback). In the end each comment has to be in exactly one
message of the user in the agent's conversation. As a control, a bare adapter plays the same courses. Over ${enoughForControl} courses or more of the
scripted agent, the bare adapter has to lose a comment.`,
  options: ['agent'],
  unit: 'courses',
  defaults: { units: 40, parallel: 1 },
  open: async ({ agent: text }) => {
    const agent = readChoice(text, '--agent', agents);
    return agent === undefined ? openScripted() : openReal(realAgents[agent]);
  },
  judgeAll: (verdicts) => {
    const isScripted = verdicts.every(({ told }) => told.startsWith('scripted'));
    const lost = verdicts.reduce((sum, { counts }) => sum + (counts?.[lostByControl] ?? 0), 0);
    const isBlind = isScripted && verdicts.length >= enoughForControl && lost === 0;
    return isBlind ? ['the bare adapter lost no comment, so these courses cannot show a loss'] : [];
  },
  bugs: [],
};

function openScripted(): OpenTrials<Course> {
  const options = { isProcess: true };
  return openCourses('scripted agent', {
    courses: anyTrial,
    play: (trial) => playKills(trial, options),
    playControl: (trial) => playBare(trial, options),
  });
}

async function openReal(agent: RealAgent): Promise<OpenTrials<Course>> {
  const tell = console.log;
  const program =
    agent.name === 'opencode'
      ? await installOpencode(process.env, { tell })
      : await installAgent(agent, { tell });
  return openCourses(`${agent.name} ${agent.package.version}`, {
    courses: anyRealAgentTrial,
    play: (trial) => playRealKills({ agent, program }, trial),
    playControl: (trial) => playRealBare({ agent, program }, trial),
  });
}

interface Series<Trial> {
  readonly courses: fc.Arbitrary<Trial>;
  readonly play: (trial: Trial) => Promise<Judgement>;
  readonly playControl: (trial: Trial) => Promise<Judgement>;
}

/** A drawn course, which its series plays. */
interface Course {
  readonly course: unknown;
  readonly play: () => Promise<TrialVerdict>;
}

function openCourses<Trial>(name: string, { courses, play, playControl }: Series<Trial>): OpenTrials<Course> {
  return {
    draw: (seed) => {
      const [course] = fc.sample(courses, { numRuns: 1, seed }) as [Trial];
      return {
        course,
        play: async () => toVerdict(name, { judged: await play(course), control: await playControl(course) }),
      };
    },
    play: (course) => course.play(),
    close: async () => {},
  };
}

function toVerdict(
  name: string,
  { judged, control }: { readonly judged: Judgement; readonly control: Judgement },
): TrialVerdict {
  const { counts, status, kills, late } = judged;
  const isBroken = status !== 'completed' || counts.some((times) => times !== 1);
  return {
    told: `${name}: ${counts.length} comments, ${kills} kills`,
    findings: isBroken ? [`the run is ${status}, and its comments are in ${counts.join(', ')} messages`] : [],
    counts: {
      comments: counts.length,
      kills,
      'comments lost': countLost(judged),
      'comments delivered twice': countTwice(judged),
      'kills of the bare adapter': control.kills,
      [lostByControl]: countLost(control),
      'comments delivered twice by the bare adapter': countTwice(control),
      ...(late === null ? {} : { 'requests without a comment that was due': Math.max(0, ...late) }),
    },
    trace: JSON.stringify({ judged, control }, null, 1),
  };
}

const countLost = ({ counts }: Judgement): number => counts.filter((times) => times === 0).length;
const countTwice = ({ counts }: Judgement): number => counts.filter((times) => times > 1).length;
