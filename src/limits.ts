/** Frame size limit where the user gives none: Kafka's own `socket.request.max.bytes`. A larger size ends the frame's stream. */
export const MAX_FRAME_BYTES = 104_857_600;
/** Bytes read from a capture at once. */
export const READ_BYTES = 1 << 20;
/** Largest captured length of a record that is believed (libpcap's MAXIMUM_SNAPLEN is 262,144; USB and loopback go further); beyond it the record is corrupt. */
export const MAX_RECORD_BYTES = 16 << 20;
