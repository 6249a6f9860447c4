import type { Logger } from '@agent/text';
import type { OutputMode } from './answer-source.ts';

/**
 * Experience with an endpoint, mode by mode: `works`: the answer was the JSON; `ignores`: the answer was none, although the model
 * gave it on another mode; `refuses`: it does not know the request. A mode that is not named was not tried, or nothing
 * follows from what became of it.
 */
export type EndpointCapabilities = Readonly<Partial<Record<OutputMode, Capability>>>;

export type Capability = 'works' | 'ignores' | 'refuses';

/** Remembers capabilities, and chooses the modes of a question by them. */
export interface CapabilityMemory {
  readonly capabilities: () => EndpointCapabilities;
  /** Keeps the latest lesson about a mode; one that works is given up only after two failures in a row. */
  readonly learn: (mode: OutputMode, capability: Capability) => void;
  /** The modes of the next question, best first. */
  readonly chooseModes: (modes: readonly OutputMode[]) => readonly OutputMode[];
}

/** So often a question begins at the top whatever was learned: servers change, and one odd answer proves little. */
const questionsPerTrial = 20;

export function createCapabilityMemory(known: EndpointCapabilities, logger: Logger | null): CapabilityMemory {
  let capabilities = known;
  let questions = 0;
  const doubted = new Set<OutputMode>();
  return {
    capabilities: () => capabilities,
    learn: (mode, capability) => {
      if (mode === 'text') return;
      const isDoubt = capability !== 'works' && capabilities[mode] === 'works' && !doubted.has(mode);
      if (isDoubt) doubted.add(mode);
      else doubted.delete(mode);
      if (isDoubt || capabilities[mode] === capability) return;
      capabilities = { ...capabilities, [mode]: capability };
      logger?.debug({ mode, capability }, 'learned what the endpoint makes of a form');
    },
    chooseModes: (modes) => {
      questions += 1;
      return questions % questionsPerTrial === 0 ? modes : listUsableModes(modes, capabilities);
    },
  };
}

/** The modes worth a question, one that works first; plain text always is. */
function listUsableModes(modes: readonly OutputMode[], known: EndpointCapabilities): readonly OutputMode[] {
  const working = modes.find((mode) => known[mode] === 'works');
  const usable = modes.filter(
    (mode) => mode === 'text' || known[mode] === undefined || known[mode] === 'works',
  );
  return working === undefined ? usable : [working, ...usable.filter((mode) => mode !== working)];
}
