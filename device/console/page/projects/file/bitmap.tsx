import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

interface BitmapProps {
  /** A JPEG that the device made of the points it saw. */
  readonly base64: string;
  readonly width: number;
  readonly height: number;
  readonly name: string;
}

/** Points of a picture, drawn without an address: nothing is loaded. */
export function Bitmap({ base64, width, height, name }: BitmapProps) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isOver = false;
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    createImageBitmap(new Blob([bytes], { type: "image/jpeg" })).then(
      (bitmap) => {
        if (!isOver) canvas.current?.getContext("2d")?.drawImage(bitmap, 0, 0);
        bitmap.close();
      },
      () => setBroken(true),
    );
    return () => {
      isOver = true;
    };
  }, [base64]);
  if (isBroken) return <p className="hint">{t("projects.noPicture")}</p>;
  return <canvas ref={canvas} className="bitmap" width={width} height={height} role="img" aria-label={name} />;
}
