"""What a library of models does before and after its models run."""

from transformers import BaseImageProcessor, Pipeline, ProcessorMixin

__all__ = ["Boxes", "Located", "Words"]


class Boxes(BaseImageProcessor):
    def _preprocess(self, images):
        return images.sum(-1)  # frequency: unknown

    def post_process_boxes(self, outputs):
        return outputs.softmax(-1).max(-1)  # frequency: every step (assumed)

    def _counted(self, outputs):
        return outputs.sum()  # frequency: never


class Words(ProcessorMixin):
    def __call__(self, texts):
        return texts.sum(-1)  # frequency: unknown

    def batch_decode(self, tokens):
        return tokens.sum(-1)  # frequency: every step (assumed)


class Located(Pipeline):
    def preprocess(self, image):
        return image.sum(-1)  # frequency: never

    def postprocess(self, outputs):
        self.boxes = Boxes()
        return self.boxes.post_process_boxes(outputs.cpu()), self.boxes._counted(outputs)  # frequency: never
