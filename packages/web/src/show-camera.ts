/** What became of a camera: shown, disconnected later, or not shown, with the reason. */
type CameraListener = (state: 'on' | 'lost' | 'failed', reason?: unknown) => void;

/** Shows a camera in a video until the returned function is called, which lets go of it. */
export function showCamera(
  video: { readonly current: HTMLVideoElement | null },
  opened: Promise<MediaStream>,
  listener: CameraListener,
): () => void {
  let isOver = false;
  const tell: CameraListener = (state, reason) => isOver || listener(state, reason);
  const close = (stream: MediaStream) => {
    for (const track of stream.getTracks()) track.stop();
  };
  opened
    .then(async (stream) => {
      if (isOver || !video.current) return close(stream);
      for (const track of stream.getTracks()) track.onended = () => tell('lost');
      video.current.srcObject = stream;
      await video.current.play();
      tell('on');
    })
    .catch((reason: unknown) => tell('failed', reason));
  return () => {
    isOver = true;
    opened.then(close, () => {});
    if (video.current) video.current.srcObject = null;
  };
}
