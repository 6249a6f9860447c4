import type { RunStorage } from '@agent/run-store';
import { storedPicturesSchema, toPictureId } from './run-pictures.ts';

/** Verifies the pictures of a run. Each fault names the picture, what is wrong with it and what to do. */
export async function listPictureFaults(
  { transfer, location }: Pick<RunStorage, 'transfer' | 'location'>,
  { uuid, place }: { readonly uuid: string; readonly place: 'running' | 'paused' | 'completed' },
): Promise<readonly string[]> {
  const states = (await transfer?.openRun(uuid, place).readStates()) ?? {};
  const pictures = storedPicturesSchema.safeParse(states['pictures.json'] ?? {});
  if (!pictures.success)
    return [`The list of pictures "pictures.json" of run ${uuid} in ${location} is not valid. ${restore}`];
  return Object.entries(pictures.data).flatMap(([address, picture]) => {
    if ('problem' in picture) return [];
    const name = `pictures/${toPictureId(address)}`;
    const value = states[name];
    const bytes = typeof value === 'string' ? Buffer.from(value, 'base64').length : 0;
    return bytes === picture.bytes
      ? []
      : [`The picture "${name}" of run ${uuid} in ${location} is missing or damaged. ${restore}`];
  });
}

const restore = 'Restore it from a backup.';
