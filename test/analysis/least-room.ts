import { Room } from '../../src/analysis/room.ts';

/** The smallest room in which nothing is dropped. */
export function leastRoom(droppedIn: (room: Room) => number): number {
  let [low, high] = [0, 1 << 30];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (droppedIn(new Room(middle)) === 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
