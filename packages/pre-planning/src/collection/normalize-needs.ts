import type { InformationNeed, InformationNeeds, WrittenNeeds } from './information-needs.ts';

/** A plan that can be worked through, and how much of what the model wrote is not in it. */
export interface NormalizedNeeds {
  readonly needs: InformationNeeds;
  /** Items over the limit, and items that could not be read. */
  readonly omitted: number;
}

export interface NormalizeOptions {
  readonly maxItems: number;
  /** The reason of a plan that needs nothing and does not say why. */
  readonly noNeeds: string;
}

/**
 * Makes ids unique and safe, and the order complete: unknown and repeated ids in it are ignored, missing ones are
 * appended. The first items of the order stay where there are too many. @see decision E12
 */
export function normalizeNeeds(
  written: WrittenNeeds,
  { maxItems, noNeeds }: NormalizeOptions,
): NormalizedNeeds {
  const { items, idsByWritten } = nameItems(written.skip_collection ? [] : written.required_information);
  const wanted = written.collection_order.flatMap((id) => idsByWritten.get(id) ?? []);
  const order = [...new Set([...wanted, ...items.map(({ id }) => id)])].slice(0, maxItems);
  const kept = new Set(order);
  return {
    needs: {
      required_information: items.filter(({ id }) => kept.has(id)),
      collection_order: order,
      skip_collection: order.length === 0,
      skip_reason: order.length > 0 ? '' : written.skip_reason || noNeeds,
    },
    omitted: items.length - order.length + (written.skip_collection ? 0 : written.left_out),
  };
}

function nameItems(written: WrittenNeeds['required_information']) {
  const items: InformationNeed[] = [];
  const makeUnique = createNamer();
  const idsByWritten = new Map<string, string>();
  for (const [index, item] of written.entries()) {
    const id = makeUnique(toSafeId(item.id) || `info_${index + 1}`);
    if (!idsByWritten.has(item.id)) idsByWritten.set(item.id, id);
    items.push({ ...item, id, default_assumption: item.default_assumption || null });
  }
  return { items, idsByWritten };
}

/** Ids name files and keys of objects. */
function toSafeId(written: string): string {
  const id = written.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 56);
  if (!/[A-Za-z0-9]/.test(id)) return '';
  // Objects put keys that are numbers before all others, whatever the order of the plan.
  if (/^\d+$/.test(id)) return `info_${id}`;
  return /^[A-Za-z0-9]/.test(id) ? id : `info${id}`.slice(0, 56);
}

/** Appends numbers to names that were given before; it remembers the last number, or many equal names would take long. */
function createNamer(): (id: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (id) => {
    let name = id;
    for (let count = counts.get(id) ?? 1; taken.has(name); ) {
      count += 1;
      counts.set(id, count);
      name = `${id}_${count}`;
    }
    taken.add(name);
    return name;
  };
}
