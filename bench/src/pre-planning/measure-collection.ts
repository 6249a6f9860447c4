import { setTimeout as wait } from 'node:timers/promises';
import { createReadOnlyTools, InformationCollector, type InformationNeeds } from '@agent/pre-planning';
import { jsonSchema } from 'ai';

/** Milliseconds for the whole collection. */
export interface CollectionTimes {
  readonly items: number;
  readonly oneByOneMs: number;
  readonly oursMs: number;
}

const itemMs = 100;
const rounds = 3;

/** Items that take 100 ms each, one after the other and as the collector does it: the best of some rounds. */
export async function measureCollection(items: number): Promise<CollectionTimes> {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push({ oneByOneMs: await collect(items, 1), oursMs: await collect(items) });
  }
  return {
    items,
    oneByOneMs: Math.min(...times.map(({ oneByOneMs }) => oneByOneMs)),
    oursMs: Math.min(...times.map(({ oursMs }) => oursMs)),
  };
}

async function collect(items: number, parallel?: number): Promise<number> {
  const execute = async () => {
    await wait(itemMs);
    return 'found';
  };
  const inputSchema = jsonSchema<object>({ type: 'object' });
  const tools = createReadOnlyTools({
    look: { description: 'Looks.', inputSchema, readOnly: true, execute },
  });
  const collector = new InformationCollector(tools, parallel === undefined ? {} : { parallel });
  const start = performance.now();
  await collector.executeCollection(makeNeeds(items));
  const took = performance.now() - start;
  const { collection_success_rate: rate } = collector.getCollectionStatus();
  if (rate !== 1) throw new Error(`Only ${rate} of the items were collected.`);
  return took;
}

function makeNeeds(count: number): InformationNeeds {
  const items = Array.from({ length: count }, (_, index) => ({
    id: `info_${index + 1}`,
    category: 'codebase' as const,
    description: 'something',
    purpose: 'to know it',
    collection_method: { tool: 'look', parameters: {} },
    fallback_strategy: '',
    can_assume: false,
    default_assumption: null,
  }));
  return {
    required_information: items,
    collection_order: items.map(({ id }) => id),
    skip_collection: false,
    skip_reason: '',
  };
}
